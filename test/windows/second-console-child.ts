import { startTestApp } from '../../tools/app-harness/running-app.ts';

/** A console in another process: prints why its payment log could not be opened. */

const app = await startTestApp(process.argv[2]);
const read = await app.request('app.read', {});
process.stdout.write(`${read.ok ? (read.value.log.problem?.code ?? 'none') : read.error.code}\n`);
await app.close();
