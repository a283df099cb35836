import { app } from 'electron';
import { runStatus, type StatusResult } from '../status/run-status.ts';
import { policyPath } from './policy-path.ts';

/** `counterfoil --status` for the data in `folder`. */
export const statusOf = (folder: string): Promise<StatusResult> =>
  runStatus(folder, { policyFile: policyPath(), version: app.getVersion() });
