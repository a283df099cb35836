import { useAppState } from './app-state-store.ts';

/** Returns the label of the installation with a chain; null for this one, for an unknown one, and without a team. */
export const useInstallationLabel = (): ((writer: string | undefined) => string | null) => {
  const team = useAppState(state => state.appState?.team ?? null);
  return writer =>
    team === null || writer === undefined || writer === team.writer
      ? null
      : (team.installations.find(one => one.writer === writer)?.label ?? null);
};
