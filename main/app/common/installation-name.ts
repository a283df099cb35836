import type { AppDependencies } from './app-context.ts';

/** The name of the installation with this chain; the chain itself if the team does not name it. */
export const installationNamed = (team: Pick<AppDependencies['team'], 'standing'>, writer: string): string =>
  team.standing()?.installations.find(one => one.writer === writer)?.label ?? writer;
