import { build, isBuilt } from '../../scripts/build.ts';

/** Builds the bundles that the specs drive, when a source is newer than they are. Vitest runs it only when a spec is selected. */
export const setup = async (): Promise<void> => {
  if (!isBuilt() && !(await build())) throw new Error('The bundles were not built.');
};
