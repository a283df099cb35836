import type { Result } from '../../shared/errors.ts';
import type { Installed } from './channel.ts';

/**
 * What one check found. `current`: nothing newer. `later`: the roll-out has not reached this installation. `signedAt`:
 * when the server's file was signed, milliseconds since 1970. `files`: the downloaded files.
 */
export type Checked = { signedAt: number } & (
  | { found: 'current' }
  | { found: 'later'; version: string }
  | { found: 'ready'; version: string; files: readonly string[] }
);

/** Fetches, verifies and installs new versions of this program; made by the runtime. */
export type Installer = {
  /**
   * Asks a server for a newer version and downloads it. Errors: `update.unreachable`, `update.refused` with the
   * reason in `details`.
   */
  check(server: string, installed: Omit<Installed, 'paymentLog'>): Promise<Result<Checked>>;
  /** Whether a downloaded version is installed when the console closes. */
  installOnQuit(isWanted: boolean): void;
  /** Called when everything is on disk and the program is about to end: macOS takes what it will install only now. */
  atQuit(): Promise<void>;
  /** Closes the console, installs what was downloaded, and starts it. */
  restart(): Promise<void>;
};
