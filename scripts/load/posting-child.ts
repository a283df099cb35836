import { signedCallbacks } from './callbacks.ts';
import { postCallbacks } from './post-callbacks.ts';
import { percentile } from '../percentile.ts';

/**
 * A load generator in a separate process, so that it shares no thread with its target: `URL CONNECTIONS MILLISECONDS
 * PASSWORD FIRST`. Posts distinct signed callbacks, numbered from FIRST + 1, for that long, prints a `Posted` as
 * JSON, and ends.
 */

export type Posted = {
  /** Callbacks answered 200, and answered otherwise. */
  answered: number;
  refused: number;
  /** Connections that broke. */
  broken: number;
  /** Milliseconds from the first request to the last answer. */
  durationMs: number;
  /** Median and 99th percentile of a response time, milliseconds. */
  p50: number;
  p99: number;
};

const [url = '', connections = '', milliseconds = '', password = '', first = ''] = process.argv.slice(2);
const next = signedCallbacks(password, Number(first));
const times: number[] = [];
let refused = 0;
const startedAt = performance.now();
const until = startedAt + Number(milliseconds);
const broken = await postCallbacks({
  url,
  connections: Number(connections),
  next: () => (performance.now() < until ? next() : null),
  onAnswer: answered => {
    if (answered.status === 200) times.push(answered.milliseconds);
    else refused += 1;
  },
});
const posted: Posted = {
  answered: times.length,
  refused,
  broken,
  durationMs: performance.now() - startedAt,
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
};
process.stdout.write(JSON.stringify(posted));
