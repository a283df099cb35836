import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { selectionSchema } from '../../main/sandbox/choices.ts';
import { eventTypes, type SandboxChoices } from '../../main/sandbox/sandbox.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { sandboxFaults, type SandboxFault } from '../../shared/contract/contract.ts';

/**
 * The sandbox gateway alone: prints one JSON line with its address and its merchant credentials, then serves until a
 * signal stops it.
 */

const selections = selectionSchema.keyof().options;

const usage = `Usage: npm run -s sandbox -- [--port N] [--callback-url URL] [--fault NAME]… [--event TYPE]… [--redirect-back]
                              [--sign-return] [--refund-amount order|refunded] [--choose NAME=VALUE]… [--credentials-file FILE]

  --port N                 listen on this port of 127.0.0.1 (default: any free one)
  --callback-url URL       deliver callbacks to this http or https address
  --fault NAME             misbehave; may be given several times:
                           ${sandboxFaults.join(', ')}
  --event TYPE             send only this event type as callback; may be given several times (default: all):
                           ${eventTypes.join(', ')}
  --redirect-back          send the customer to success_url or cancel_url
  --sign-return            put signed parameters on that address
  --refund-amount WHICH    what a refund callback carries: order (default) or refunded
  --choose NAME=VALUE      a choice of the dashboard; may be given several times:
${selections.map(name => `                           ${name}=${selectionSchema.shape[name].unwrap().options.join('|')}`).join('\n')}
  --credentials-file FILE  JSON with merchant_key and merchant_password (default: new ones for each run;
                           COUNTERFOIL_SANDBOX_KEY and COUNTERFOIL_SANDBOX_PASSWORD are read too)`;

const stop = (code: number, message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(code);
};
const exitWithUsage = (message: string): never => stop(2, `sandbox: ${message}\n\n${usage}`);

const readFlags = () => {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        'callback-url': { type: 'string' },
        fault: { type: 'string', multiple: true, default: [] },
        event: { type: 'string', multiple: true, default: [] },
        'redirect-back': { type: 'boolean', default: false },
        'sign-return': { type: 'boolean', default: false },
        'refund-amount': { type: 'string', default: 'order' },
        choose: { type: 'string', multiple: true, default: [] },
        'credentials-file': { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    return exitWithUsage(error instanceof Error ? error.message : 'The flags cannot be read.');
  }
};

const readPort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : exitWithUsage(`--port must be a number from 0 to 65535, not "${text}".`);
};

const readFault = (name: string): SandboxFault =>
  sandboxFaults.find(fault => fault === name) ??
  exitWithUsage(`there is no fault "${name}". The faults are: ${sandboxFaults.join(', ')}.`);

const readSelection = () => {
  const pairs = [`refundAmount=${flags['refund-amount']}`, ...flags.choose].map(text => [
    text.split('=', 1)[0] ?? '',
    text.slice(text.indexOf('=') + 1),
  ]);
  const read = z.strictObject(selectionSchema.shape).safeParse(Object.fromEntries(pairs));
  if (read.success) return read.data;
  return exitWithUsage(
    '--choose must name a choice and one of its values, --refund-amount a value of refundAmount.',
  );
};

const readChoices = (): SandboxChoices => {
  const events =
    flags.event.length === 0 ? eventTypes : eventTypes.filter(type => flags.event.includes(type));
  const unknown = flags.event.find(name => !eventTypes.some(type => type === name));
  if (unknown !== undefined)
    return exitWithUsage(`there is no event type "${unknown}": ${eventTypes.join(', ')}.`);
  return {
    events,
    redirectBack: flags['redirect-back'],
    signReturnUrl: flags['sign-return'],
    ...readSelection(),
  };
};

const readCallbackUrl = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  const url = URL.parse(text);
  return url && (url.protocol === 'http:' || url.protocol === 'https:')
    ? url.href
    : exitWithUsage('--callback-url must be an http or https address.');
};

const credentialsSchema = z.object({
  merchant_key: z.string().min(1).max(255),
  merchant_password: z.string().min(1).max(1024),
});
type Credentials = z.infer<typeof credentialsSchema>;

const readCredentials = (file: string | undefined): Credentials => {
  if (file !== undefined)
    try {
      return credentialsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return exitWithUsage(
        '--credentials-file must name a JSON file with merchant_key and merchant_password.',
      );
    }
  const { COUNTERFOIL_SANDBOX_KEY: key, COUNTERFOIL_SANDBOX_PASSWORD: password } = process.env;
  return {
    merchant_key: key || `sandbox-${randomBytes(8).toString('hex')}`,
    merchant_password: password || randomBytes(16).toString('hex'),
  };
};

const flags = readFlags();
if (flags.help) stop(0, usage);
const credentials = readCredentials(flags['credentials-file']);
const options = {
  port: readPort(flags.port),
  callbackUrl: readCallbackUrl(flags['callback-url']),
  faults: flags.fault.map(readFault),
  choices: readChoices(),
};

const sandbox = await startSandbox({
  ...options,
  merchantKey: credentials.merchant_key,
  merchantPassword: credentials.merchant_password,
  onRequest: line => process.stderr.write(`${line}\n`),
  onDelivery: ({ orderNumber, type, status, attempt, httpStatus, outcome }) =>
    process.stderr.write(
      `callback ${type} ${status} of order ${JSON.stringify(orderNumber)}, try ${attempt}: ${httpStatus ?? 'no answer'}, ${outcome}\n`,
    ),
}).catch((error: unknown) =>
  stop(
    1,
    `sandbox: could not listen on port ${options.port}: ${error instanceof Error ? error.message : 'unknown'}.`,
  ),
);

let isStopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    void sandbox.close().then(() => process.exit(0));
  });
process.stderr.write(`dashboard: ${sandbox.dashboardUrl}\n`);
process.stdout.write(
  `${JSON.stringify({ base_url: sandbox.baseUrl, ...credentials, port: sandbox.port })}\n`,
);
