import { runStatus } from '../../main/status/run-status.ts';

/** `counterfoil --status` in a separate process: FOLDER POLICY-FILE. */
const [folder = '', policyFile = ''] = process.argv.slice(2);
const { text, exitCode } = await runStatus(folder, { policyFile, version: '0.0.0' });
process.stdout.write(text);
process.exitCode = exitCode;
