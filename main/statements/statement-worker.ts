import type { StatementPreview } from '../../shared/contract/statement-requests.ts';
import { ok, type Result } from '../../shared/errors.ts';
import type { Mapping } from '../../shared/statements/mapping.schema.ts';
import { serveCalls } from '../threads/thread.ts';
import { agree, type Agreement } from './agree.ts';
import { openStatement } from './files/open-file.ts';
import { refusalOf } from './files/statement-refusal.ts';
import { createLookUp } from './match.ts';
import type { Movement } from './movements.ts';
import { readStatement, recognise, type ReadStatement, type Recognised } from './read-statement.ts';
import { spanOf } from './reading/dates.ts';
import { withoutCards, type Lines } from './reading/line.ts';
import { packLines, unpackLines } from './stored-lines.ts';

/** The worker thread that reads a statement, and compares statements with movements. */

/** Rows of the file that a person sees while they decide about its columns. */
const shownRows = 8;

/** What the person sees of a file before it is imported, with what an import needs. */
export type Preview = Omit<StatementPreview, 'mapping' | 'isKnown'> & { sha256: string; sender: string };

/** A stored statement, with what persons decided about its lines. */
export type StoredStatement = {
  statement: string;
  parts: readonly string[];
  notRead: Lines['notRead'];
  period: Lines['period'];
  tied: ReadonlyMap<number, string | null>;
};

/** What the thread answers, by name. */
export type StatementJobs = {
  /** Reads a file and names the days in it. */
  open: (
    path: string,
    zone: string | null,
  ) => Promise<{ sha256: string; first: string | null; last: string | null }>;
  /** How the open file is understood; `movements` once, the first time. */
  preview: (mapping: Mapping | null, movements: readonly Movement[] | null) => Promise<Preview>;
  /** The lines of the open file as they are stored. */
  pack: () => Promise<{ parts: string[]; notRead: Lines['notRead'] }>;
  compare: (
    statements: readonly StoredStatement[],
    movements: readonly Movement[],
  ) => Promise<Record<string, Agreement>>;
};
export type StatementJob = keyof StatementJobs;

/** Refused files are values: an error of ours would not arrive as one. */
export type StatementWorker = {
  run: (name: StatementJob, args: readonly unknown[]) => Promise<Result<unknown>>;
};

const createJobs = (): StatementJobs => {
  let file: { name: string; sha256: string; zone: string | null; recognised: Recognised } | null = null;
  let movements: readonly Movement[] = [];
  let lookUp = createLookUp(movements);
  let read: ReadStatement | null = null;
  const opened = () => {
    if (file === null) throw new Error('No statement is open.');
    return file;
  };
  return {
    open: async (path, zone) => {
      const { bytes, name, sha256 } = await openStatement(path);
      file = { name, sha256, zone, recognised: await recognise({ bytes, name, sha256 }, zone) };
      const { lines } = readStatement(file.recognised, [], { mapping: null, zone });
      const days = lines.lines.flatMap(({ day, settled }) => [day ?? [], settled ?? []].flat());
      return { sha256, ...(spanOf(days) ?? { first: null, last: null }) };
    },
    preview: async (mapping, given) => {
      const { name, sha256, zone, recognised } = opened();
      if (given !== null) {
        movements = given;
        lookUp = createLookUp(movements);
      }
      // The lines of a reading before need not be in memory with the new ones.
      read = null;
      read = readStatement(recognised, movements, { mapping, zone, lookUp });
      const { lines, columns } = read;
      const compared = agree(lines, movements, { lookUp });
      const rows = 'table' in recognised ? recognised.table.rows : [];
      const from = columns?.from ?? 0;
      return {
        name,
        sha256,
        format: read.format,
        sender: columns?.sender ?? read.format,
        columns:
          columns?.roles.map((role, index) => ({
            heading: columns.headings[index] ?? '',
            role,
            cells: rows
              .slice(from, from + shownRows)
              .map(({ cells }) => withoutCards(cells[index] ?? '').slice(0, 80)),
          })) ?? [],
        conventions: read.conventions,
        questions: read.questions,
        lines: lines.lines.length,
        notRead: lines.notRead.length,
        skipped: lines.skipped,
        period: compared.period,
        agreed: compared.agreed.length,
        sample: lines.lines
          .slice(0, shownRows)
          .map(({ line, kind, order, day, settled, gross, currency }) => ({
            line,
            kind,
            order,
            day: day ?? settled,
            gross: String(gross),
            currency,
          })),
      };
    },
    pack: async () => {
      if (read === null) throw new Error('No statement was read.');
      const { lines, notRead } = read.lines;
      return { parts: packLines(lines), notRead };
    },
    compare: async (statements, given) => {
      const lines = statements.map(({ parts, notRead, period }): Lines => ({
        lines: unpackLines(parts),
        notRead,
        skipped: 0,
        period,
      }));
      const shared = createLookUp(given);
      const compareAll = (elsewhere: (index: number) => ReadonlySet<string>): Agreement[] =>
        lines.map((of, index) =>
          agree(of, given, {
            tied: statements[index]?.tied ?? new Map(),
            elsewhere: elsewhere(index),
            lookUp: shared,
          }),
        );
      const alone = compareAll(() => new Set());
      // What another file contains is not missing here.
      const keysOf = ({ agreed, different }: Agreement): string[] =>
        [...agreed, ...different].flatMap(({ movement }) => movement ?? []);
      const compared =
        alone.length < 2
          ? alone
          : compareAll(index => new Set(alone.flatMap((other, at) => (at === index ? [] : keysOf(other)))));
      return Object.fromEntries(compared.map((of, index) => [statements[index]?.statement ?? '', of]));
    },
  };
};

const createWorker = (): StatementWorker => {
  const jobs = createJobs();
  return {
    run: (name, args) => {
      const job = jobs[name] as (...all: readonly unknown[]) => Promise<unknown>;
      return job(...args).then(ok, refusalOf);
    },
  };
};

serveCalls(createWorker);
