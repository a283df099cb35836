import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { claimSubjects } from '../../main/team/claims.ts';
import { requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import type { Installation } from '../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('what installations claim before they send (needs PostgreSQL)', () => {
  const { install } = useTeam();

  const open = async (writer: string): Promise<Installation> => {
    const opened = await install(writer);
    must(await opened.log.append([requested(0)]));
    return opened;
  };
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
    by: Pick<Installation, 'shared' | 'journal' | 'shipping'>,
    of: ReturnType<typeof claim>,
  ) => {
    const rival = must(await claimSubjects(by.shared.operations, by, of));
    if (rival) must(await by.shared.operations.end(of.id, false));
    return rival;
  };

  test('of two installations that claim one payment at the same moment one continues', async () => {
    const both = [await open('console-1'), await open('console-2')];
    for (let round = 0; round < 12; round += 1) {
      const decided = await Promise.all(both.map(one => decide(one, claim(`p-${round}`))));
      expect(decided.filter(rival => rival === null)).toHaveLength(1);
    }
  });

  test('what is being sent stops the others unless their person saw it, and what was sent unless they have evidence of it', async () => {
    const [one, two] = [await open('console-1'), await open('console-2')];
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
    const [one, two] = [await open('console-1'), await open('console-2')];
    expect(await decide(one, claim('p'))).toBeNull();
    expect(await decide(two, claim('p'))).toMatchObject({ installation: 'console-1' });
    expect(await decide(one, claim('p'))).toBeNull();
    // A copy with an earlier journal.
    const ownChain = { ...two.journal.ownChain, writer: 'console-1' };
    const copied = { ...one, journal: { ...one.journal, ownChain } };
    expect(await decide(copied, claim('p'))).toMatchObject({ installation: 'console-1' });
  });
});
