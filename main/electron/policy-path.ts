import { app } from 'electron';
import { policyFile } from '../policy/policy-file.ts';

/** The path of this computer's policy file. In development, `COUNTERFOIL_POLICY` names another one. */
export const policyPath = (): string =>
  (app.isPackaged ? undefined : process.env['COUNTERFOIL_POLICY']) ?? policyFile();
