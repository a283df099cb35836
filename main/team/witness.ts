import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ok, type Result } from '../../shared/errors.ts';
import type { BrokenChain } from '../../shared/team/team-standing.ts';
import { writeFileAtomic } from '../files/replace-file.ts';
import { startLoop } from '../pacing/loop.ts';
import type { ChainEnd } from '../payment-log/answers.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';

/** Interval of noting the ends of all chains. */
const noteEveryMs = 60_000;

const seenSchema = z.object({
  logId: z.uuid(),
  chains: z.record(z.string(), z.object({ seq: z.int().positive(), hash: z.string() })),
});
type Seen = z.infer<typeof seenSchema>;

const readSeen = (file: string, logId: string): Seen => {
  try {
    const read = seenSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (read.success && read.data.logId === logId) return read.data;
  } catch {
    // Nothing was noted yet, or it is unreadable: from now on it is noted again.
  }
  return { logId, chains: {} };
};

export type Witness = ReturnType<typeof startWitness>;

/**
 * Remembers the last seen end of every chain of the shared log in a file beside the journal. An end that is gone or
 * reads otherwise is named without a verification: a restored backup of the database, a chain that was written again, a
 * tail that was cut. A chain that its installation has shipped again is whole again.
 */
export const startWitness = ({
  file,
  logId,
  own,
  shared,
  onChange,
  onWhole = () => undefined,
  everyMs = noteEveryMs,
}: {
  file: string;
  logId: string;
  /** The journal's own chain, which shipping compares. */
  own: string;
  shared: Pick<SharedLog, 'chainEnds' | 'installations'>;
  /** Called when the broken chains have changed. */
  onChange: () => void;
  /** Called with the ends of all chains that are not broken, after each look. */
  onWhole?: (ends: readonly ChainEnd[]) => void;
  everyMs?: number;
}) => {
  const seen = readSeen(file, logId);
  let written = JSON.stringify(seen);
  let broken: readonly BrokenChain[] = [];

  const compare = async (): Promise<Result<undefined>> => {
    const wanted = Object.entries(seen.chains).map(([writer, { seq }]) => ({ writer, seq }));
    const ends = await shared.chainEnds();
    if (!ends.ok) return ends;
    const links = await shared.installations.links(wanted);
    if (!links.ok) return links;
    const found = wanted.flatMap(({ writer, seq }): BrokenChain[] => {
      const link = links.value.get(`${writer} ${seq}`);
      if (link === seen.chains[writer]?.hash) return [];
      const end = ends.value.find(one => one.writer === writer)?.seq ?? 0;
      return link === undefined
        ? [{ writer, from: Math.min(end + 1, seq), to: seq, how: 'gone' }]
        : [{ writer, from: 1, to: seq, how: 'rebuilt' }];
    });
    for (const { writer, seq, hash } of ends.value) {
      // What was seen before stays the reference until it is there again.
      if (writer === own || seq === 0 || found.some(one => one.writer === writer)) continue;
      seen.chains[writer] = { seq, hash };
    }
    if (JSON.stringify(found) !== JSON.stringify(broken)) {
      broken = found;
      onChange();
    }
    onWhole(ends.value.filter(({ writer }) => !found.some(one => one.writer === writer)));
    const text = JSON.stringify(seen);
    // A full disk is reported elsewhere; the next look writes again.
    if (text !== written)
      await writeFileAtomic(file, text).then(
        () => (written = text),
        () => undefined,
      );
    return ok(undefined);
  };
  let last: Result<undefined> = ok(undefined);
  const loop = startLoop(
    async () => {
      last = await compare();
    },
    { everyMs },
  );
  return {
    /** Chains that the shared log held differently before, as of the last look. */
    broken: (): readonly BrokenChain[] => broken,
    /** Compares the shared log with what was seen, then notes the present ends. Errors: those of the shared log. */
    look: async (): Promise<Result<undefined>> => {
      await loop.wake();
      return last;
    },
    close: (): Promise<void> => loop.close(),
  };
};
