import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realCallback } from './real-callbacks.ts';

/** The result of a load. */
export type Posted = {
  /** Callbacks answered 200, and answered otherwise. */
  answered: number;
  refused: number;
  /** Connections that broke. */
  broken: number;
  /** Milliseconds from the first request to the last answer. */
  durationMs: number;
  /** 99th percentile of a response time, milliseconds. */
  p99: number;
};

type Load = {
  url: string;
  connections: number;
  milliseconds: number;
  password: string;
  /** The number of callbacks that were sent before. */
  first: number;
  /** Callbacks per second that are prepared; a faster server gets the first ones again. */
  maxPerSecond: number;
};

/** Debian's `wrk`, a load generator outside Node: a Node client costs as much CPU as the receiver's HTTP. */
export const hasWrk = !spawnSync('wrk', ['--version']).error;

/** The arguments of `wrk` for a load whose bodies are in `file`, one per line. */
const wrkArguments = (folder: string, file: string, { url, connections, milliseconds }: Load): string[] => {
  const script = join(folder, 'post.lua');
  writeFileSync(
    script,
    `local bodies = {}
for line in io.lines('${file}') do bodies[#bodies + 1] = line end
local headers = { ['content-type'] = 'application/x-www-form-urlencoded' }
local at = 0
request = function()
  at = at % #bodies + 1
  return wrk.format('POST', nil, headers, bodies[at])
end
done = function(summary, latency)
  local failed = summary.errors
  io.write(string.format(
    '\\n{"answered":%d,"refused":%d,"broken":%d,"durationMs":%f,"p99":%f}',
    summary.requests - failed.status, failed.status, failed.connect + failed.read + failed.write + failed.timeout,
    summary.duration / 1000, latency:percentile(99) / 1000))
end
`,
  );
  const length = `${Math.ceil(milliseconds / 1_000)}s`;
  return ['-t1', `-c${connections}`, `-d${length}`, '--timeout', '30s', '-s', script, url];
};

/**
 * Posts signed callbacks for `milliseconds` over `connections`, from `wrk`, which must be installed. Rejects if a callback was refused or a connection broke.
 */
export const post = async (load: Load): Promise<Posted> => {
  const { milliseconds, password, first, maxPerSecond } = load;
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-load-'));
  try {
    const file = join(folder, 'bodies');
    const count = Math.ceil((milliseconds / 1_000) * maxPerSecond);
    writeFileSync(
      file,
      Array.from({ length: count }, (_, index) => realCallback(password, first + index)).join('\n'),
    );
    const printed = await new Promise<string>((resolve, reject) => {
      const args = wrkArguments(folder, file, load);
      execFile('wrk', args, (error, output) => (error ? reject(error) : resolve(output)));
    });
    const posted = JSON.parse(printed.slice(printed.lastIndexOf('\n') + 1)) as Posted;
    if (posted.refused > 0 || posted.broken > 0)
      throw new Error(`${posted.refused} callbacks were refused, ${posted.broken} connections broke`);
    return posted;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
