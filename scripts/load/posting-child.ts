import { readFileSync } from 'node:fs';
import { percentile } from './percentile.ts';
import { postCallbacks } from './post-callbacks.ts';
import type { Posted } from './posting.ts';

/**
 * A load generator in a separate process, so that it shares no thread with its target: `URL CONNECTIONS MILLISECONDS
 * FILE`. Posts the lines of the file for that long, from the first again after the last; prints a `Posted` as JSON, and
 * ends.
 */

const [url = '', connections = '', milliseconds = '', file = ''] = process.argv.slice(2);
const bodies = readFileSync(file, 'utf8').split('\n');
const times: number[] = [];
let sent = 0;
let refused = 0;
const startedAt = performance.now();
const until = startedAt + Number(milliseconds);
const broken = await postCallbacks({
  url,
  connections: Number(connections),
  next: () => {
    if (performance.now() >= until) return null;
    sent += 1;
    return bodies[(sent - 1) % bodies.length] ?? null;
  },
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
