import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { claimSubjects } from '../../main/team/claims.ts';
import { requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import type { Shipped } from '../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('what installations claim before they send (needs PostgreSQL)', () => {
  const { ship } = useTeam('file');
  let one: Shipped;
  let two: Shipped;
  beforeAll(async () => {
    [one, two] = [await ship('console-1'), await ship('console-2')];
    for (const { journal } of [one, two]) must(await journal.append([requested(0)]));
  });

  const claim = (payment: string, changes: { seen?: string[]; known?: string[] } = {}) => ({
    id: randomUUID(),
    account: 'account',
    subjects: [`payment ${payment}`],
    person: { id: 'ada', name: 'Ada' },
    currency: 'EUR',
    minor: 100n,
    seen: [],
    known: [],
    ...changes,
  });
  /** As an installation does: a claim with a rival is withdrawn. */
  const decide = async (
    by: Pick<Shipped, 'shared' | 'journal' | 'shipping'>,
    of: ReturnType<typeof claim>,
  ) => {
    const rival = must(await claimSubjects(by.shared.operations, by, of));
    if (rival) must(await by.shared.operations.end(of.id, false));
    return rival;
  };

  test('of two installations that claim one payment at the same moment one continues', async () => {
    for (let round = 0; round < 12; round += 1) {
      const decided = await Promise.all([one, two].map(by => decide(by, claim(`p-${round}`))));
      expect(decided.filter(rival => rival === null)).toHaveLength(1);
    }
  });

  test('what is being sent stops the others unless their person saw it, and what was sent unless they have evidence of it', async () => {
    const first = claim('p');
    expect(await decide(one, first)).toBeNull();
    const ids = [first.id];
    expect(await decide(two, claim('p'))).toMatchObject({ id: first.id });
    expect(await decide(two, claim('p', { known: ids }))).toMatchObject({ id: first.id });
    expect(await decide(two, claim('q'))).toBeNull();
    const insisting = claim('p', { seen: ids });
    expect(await decide(two, insisting)).toBeNull();
    must(await two.shared.operations.end(insisting.id, false));
    must(await one.shared.operations.end(first.id, true));
    expect(await decide(two, claim('p'))).toMatchObject({ id: first.id, isFirst: true });
    expect(await decide(two, claim('p', { known: ids }))).toBeNull();
  });

  test('a claim that a crash left stops the others, and not the installation itself, which recorded nothing of it', async () => {
    expect(await decide(one, claim('left'))).toBeNull();
    expect(await decide(two, claim('left'))).toMatchObject({ installation: 'console-1' });
    expect(await decide(one, claim('left'))).toBeNull();
    // A copy with an earlier journal.
    const ownChain = { ...two.journal.ownChain, writer: 'console-1' };
    const copied = { ...one, journal: { ...one.journal, ownChain } };
    expect(await decide(copied, claim('left'))).toMatchObject({ installation: 'console-1' });
  });
});
