import { afterEach, describe, expect, test } from 'vitest';
import { requestNames, type RequestName } from '../../../shared/contract/contract.ts';
import type { Agent } from '../../../shared/agents/agent.ts';
import { roles, type Role } from '../../../shared/agents/roles.ts';
import { enforceRights } from '../../../main/app/requests/apply-rules.ts';
import { mapHandlers } from '../../../main/app/requests/map-handlers.ts';
import { fail } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { newPayment, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { callSample } from '../../../tools/app-harness/sample-inputs.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** What each role may do, in the running application. */

const signIn = async (app: TestApp, { id }: { id: string }, pin: string | null = null) =>
  await app.value('agents.signIn', { id, pin });
const people = async (app: TestApp): Promise<Agent[]> => (await app.value('app.lock', {})).agents;
const notAllowed = { ok: false, error: { code: 'agent.not-allowed' } };

const namesIn = (text: string): RequestName[] => {
  const named = new Set(text.split(/\s+/));
  return requestNames.filter(name => named.has(name));
};
/** What only an administrator may do. */
const administration = namesIn(`
  agents.save agents.remove settings.dismissRecovery scheduledExport.chooseFolder scheduledExport.run
  settings.export settings.previewImport settings.import profiles.save
  profiles.remove profiles.dryRun profiles.saveReturnPages profiles.check profiles.probeOperations
  receiver.chooseCertificate receiver.test receiver.testOutside log.rebuild log.settleLoss log.backUp
  log.checkCopy log.restore log.createNew log.erase customers.erase team.check team.join team.verify
  updates.check team.leave team.plan team.share team.beginChain
`);
const exporting = namesIn(`
  payments.export payments.showExport payments.exportFigures payments.exportReconciliation
  payments.dossier statements.open statements.preview statements.import statements.close
  statements.decide statements.closeMonth statements.report sandbox.writeStatement
`);
const supervising = namesIn(`
  operations.begin operations.send movements.record movements.undo movements.noteDispute
  movements.disputeCalendar refunds.start refunds.send
  refunds.control payments.handoverNote receiver.resetQuarantine activity.list activity.export
  review.resolve review.reopen review.assign review.snooze
`);
const working = namesIn(`
  payments.create payments.suggestOrder payments.lookUp payments.shareLink payments.note
  payments.withdrawLink customers.join customers.separate lookUps.start lookUps.control drafts.read
  drafts.save templates.save templates.remove callbacks.store callbacks.storeFile sandbox.faults
  sandbox.resend sandbox.openDashboard
`);
const refused: Record<Role, RequestName[]> = {
  agent: [...administration, ...exporting, ...supervising],
  supervisor: administration,
  accountant: [...administration, ...supervising, ...working],
  administrator: [],
};

/** For tests that leave the first person an administrator without a PIN. */
const shared = useApp();

test.each(roles)(
  'a person is refused exactly the requests that their role does not allow: %s',
  async role => {
    const reached = mapHandlers(
      shared.handlers,
      () => () => Promise.resolve(fail('internal', msg('error.internal'))),
    );
    const person = { id: 'grace', name: 'Grace', role };
    const handlers = enforceRights(reached, { agents: () => [] }, { person: () => person });
    const stopped: RequestName[] = [];
    for (const name of requestNames) {
      const answer = await callSample({ handlers }, name, 'R-1');
      if (!answer.ok && answer.error.code === 'agent.not-allowed') stopped.push(name);
    }
    expect(stopped.sort()).toEqual([...refused[role]].sort());
  },
);

describe('roles', () => {
  afterEach(() => shared.backToFirst());

  test.each(['agent', 'accountant'] as const)(
    'the role “%s” is refused by the running application before anything is done, and may change how the window looks',
    async role => {
      await shared.value('receiver.test', {});
      expect((await shared.state()).receiver.addresses).not.toEqual([]);
      await signIn(shared, await shared.addPerson(`Grace, ${role}`, role));
      for (const name of refused[role])
        expect(await callSample(shared, name, 'R-1'), name).toMatchObject(notAllowed);
      await shared.value('settings.change', { density: 'compact', columns: null });
      const both = { theme: 'contrast', retentionDays: 30 } as const;
      expect(await shared.request('settings.change', both)).toMatchObject(notAllowed);
      const read = await shared.state();
      expect(read.settings.theme).not.toBe('contrast');
      expect(read.receiver.addresses).toEqual([]);
    },
  );

  test('the first person is the administrator, and a new one an agent', async () => {
    await shared.addPerson('Joan');
    const [first, ...others] = await people(shared);
    expect(first).toMatchObject({ name: 'anna', role: 'administrator' });
    expect(others).toContainEqual(expect.objectContaining({ name: 'Joan', role: 'agent' }));
  });

  test('everyone may set their own PIN, and nothing else about themselves or others', async () => {
    const margaret = await shared.addPerson('Margaret', 'agent');
    const [anna] = await people(shared);
    await signIn(shared, margaret);
    const own = { id: margaret.id, name: 'Margaret' };
    await shared.value('agents.save', { ...own, pin: '2468' });
    expect(await shared.refusal('agents.save', { ...own, pin: null, oldPin: '1111' })).toBe(
      'agent.wrong-pin',
    );
    for (const change of [
      { ...own, role: 'administrator' as const, oldPin: '2468' },
      { ...own, name: 'Margaret H.', oldPin: '2468' },
      { id: anna?.id ?? '', name: 'anna', pin: '1357' },
    ])
      expect(await shared.request('agents.save', change)).toMatchObject(notAllowed);
  });
});

describe('roles of a new console', () => {
  const app = useApp();
  const first = async (): Promise<Agent> => {
    const [anna] = await people(app);
    if (!anna) throw new Error('no person');
    return anna;
  };

  test('a refusal names the people who may', async () => {
    await app.addPerson('Ada', 'supervisor');
    await signIn(app, await app.addPerson('Grace', 'agent'));
    expect(await app.request('payments.export', { filter: {}, format: 'csv' })).toMatchObject({
      error: {
        code: 'agent.not-allowed',
        hint: msg('agents.ask', { names: msg('agents.names', { names: 'anna', last: 'Ada' }) }),
      },
    });
    await app.backToFirst();
  });

  test('an administrator with a PIN confirms every change of people with it, forgotten PINs included', async () => {
    const anna = await first();
    const grace = await app.addPerson('Grace', 'agent', '2468');
    await app.value('agents.save', { id: anna.id, name: 'anna', pin: '1357' });
    const promote = { id: grace.id, name: 'Grace', role: 'supervisor' as const };
    for (const oldPin of [null, '2468'])
      expect(await app.refusal('agents.save', { ...promote, oldPin })).toBe('agent.wrong-pin');
    expect(await app.value('agents.save', { ...promote, pin: '9999', oldPin: '1357' })).toMatchObject({
      role: 'supervisor',
      hasPin: true,
    });
    expect(await app.request('agents.remove', { id: grace.id, pin: '9999' })).toMatchObject({ ok: false });
    await app.value('agents.remove', { id: grace.id, pin: '1357' });
    await app.value('agents.save', { id: anna.id, name: 'anna', pin: null, oldPin: '1357' });
  });

  test('the last administrator is neither demoted nor removed, and a role that changes applies at once', async () => {
    const anna = await first();
    const demote = { id: anna.id, name: anna.name, role: 'accountant' as const };
    const isLast = { code: 'input.invalid', message: { key: 'agents.last-administrator' } };
    expect(await app.request('agents.save', demote)).toMatchObject({ error: isLast });
    const ada = await app.addPerson('Ada', 'administrator');
    await app.value('settings.change', { retentionDays: 30 });
    await app.value('agents.save', demote);
    expect(await app.request('settings.change', { retentionDays: 0 })).toMatchObject(notAllowed);
    expect(await app.request('payments.create', newPayment())).toMatchObject(notAllowed);
    await signIn(app, ada);
    const demoteAda = { ...demote, id: ada.id, name: 'Ada' };
    expect(await app.request('agents.remove', { id: ada.id, pin: null })).toMatchObject({ ok: false });
    expect(await app.request('agents.save', demoteAda)).toMatchObject({ ok: false });
    await app.value('agents.save', { ...demote, role: 'administrator' });
    await app.backToFirst();
  });

  test('a change of the team is made only by the person whose right was checked, also if another one signs in before its turn', async () => {
    const boss = await app.addPerson('Boss', 'administrator', '1234');
    const clerk = await app.addPerson('Clerk', 'agent');
    await signIn(app, boss, '1234');
    const [entered, ...changes] = await Promise.all([
      app.request('agents.signIn', { id: clerk.id, pin: null }),
      app.request('agents.save', { id: null, name: 'Intruder', role: 'administrator' }),
      app.request('agents.save', { id: clerk.id, name: 'Clerk', role: 'administrator' }),
      app.request('agents.remove', { id: boss.id, pin: null }),
    ]);
    expect(entered).toMatchObject({ ok: true });
    for (const change of changes) expect(change).toMatchObject(notAllowed);
    expect((await people(app)).map(({ name, role }) => `${name} ${role}`)).toEqual([
      'anna administrator',
      'Boss administrator',
      'Clerk agent',
    ]);
  });
});
