import { build, isBuilt } from '../build/build.ts';

/** Builds the bundles for the specs if a source is newer. Vitest runs it only if a spec is selected. */
export const setup = async (): Promise<void> => {
  if (!isBuilt() && !(await build())) throw new Error('The bundles were not built.');
};
