import type { TeamStanding } from '../../../../shared/contract/contract.ts';
import { ErrorNote, Note } from '../../../components/display/notes.tsx';
import { useText, useList } from '../../../i18n/text.ts';
import { sharingPlanQuery } from '../../../queries/settings.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { useWhoElse } from '../../../use-rights.ts';
import { useState } from 'react';
import type { SharingPlan } from '../../../../shared/team/sharing.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Form, useTask } from '../../../forms/form.tsx';
import { PinBox, SelectBox } from '../../../components/controls/fields.tsx';
import { request } from '../../../ipc-client.ts';

/** Begins to use people and profiles of the team; adds those of this computer if a person wants it. */
const SharingForm = ({ plan }: { plan: SharingPlan }) => {
  const t = useText();
  const { people, newPeople, profiles, mayChange } = plan;
  const own = useAppState(state => state.appState?.agents ?? []);
  const open = useAppState(state => state.open);
  const list = useList();
  const namesOf = (some: readonly { name: string }[]): string => list(some.map(({ name }) => name));
  const administrators = people.filter(({ role }) => role === 'administrator');
  const [person, setPerson] = useState(administrators[0]?.id ?? '');
  const [pin, setPin] = useState('');
  const { busy, problem, run } = useTask<'theirs' | 'mine'>();
  const confirming = administrators.find(({ id }) => id === person);
  const needsPin = newPeople.length > 0 && confirming?.hasPin === true;
  const isFirst = people.length === 0;
  const mine = list([...newPeople.map(({ name }) => name), ...profiles]);
  const canAdd = mayChange && (isFirst || newPeople.length > 0 || profiles.length > 0);

  const share = (which: 'theirs' | 'mine'): Promise<void> =>
    run(
      which,
      () =>
        request('team.share', {
          adding: which === 'theirs' ? null : { person: person || null, pin: pin || null },
        }),
      open,
    );

  return (
    <Form label={t('sharing.title')} onSubmit={() => void share(isFirst && mayChange ? 'mine' : 'theirs')}>
      {mayChange ? null : <Note>{t('sharing.read-only')}</Note>}
      <p className="small measure break">
        {isFirst
          ? mayChange
            ? t('sharing.people.import', { names: namesOf(own) })
            : t('sharing.people.later')
          : t('sharing.people.theirs', { names: namesOf(people) })}
      </p>
      {isFirst || newPeople.length === 0 ? null : (
        <Note tone="warning">{t('sharing.people.lost', { names: namesOf(newPeople) })}</Note>
      )}
      {canAdd && !isFirst ? <p className="small muted break">{t('sharing.mine', { names: mine })}</p> : null}
      {canAdd && newPeople.length > 0 && administrators.some(({ hasPin }) => hasPin) ? (
        <div className="pair">
          <SelectBox
            label={t('sharing.people.by')}
            options={administrators.map(({ id, name }) => ({ id, name }))}
            value={person}
            onChange={id => {
              setPerson(id);
              setPin('');
            }}
          />
          {confirming?.hasPin ? (
            <PinBox
              label={t('sharing.people.pin', { name: confirming.name })}
              value={pin}
              onChange={setPin}
            />
          ) : null}
        </div>
      ) : null}
      {/* The signed-in person is not one of the team: the lock screen follows. */}
      {problem && problem.code !== 'app.locked' ? <ErrorNote error={problem} /> : null}
      <div className="line wrap">
        <Button type="submit" variant="primary" isPending={busy !== null} isDisabled={busy !== null}>
          {t(isFirst && mayChange ? 'sharing.begin' : 'sharing.start')}
        </Button>
        {canAdd && !isFirst ? (
          <Button
            isPending={busy === 'mine'}
            isDisabled={busy !== null || (needsPin && pin.length < 4)}
            onPress={() => void share('mine')}
          >
            {t('sharing.add-mine')}
          </Button>
        ) : null}
      </div>
    </Form>
  );
};

/** The step of an installation that still has its own people and profiles. */
const SharingStep = ({ isReachable }: { isReachable: boolean }) => {
  const t = useText();
  const others = useWhoElse({ request: 'team.plan' });
  const canRead = isReachable && others === null;
  const { value: plan, problem } = sharingPlanQuery.use(
    // A plan stays while the server cannot be reached.
    canRead || (others === null && sharingPlanQuery.get('plan').value !== null) ? 'plan' : null,
  );
  return (
    <>
      <p className="small measure">{t('sharing.text')}</p>
      {others === null ? null : <p className="small muted">{t('agents.ask', { names: others })}</p>}
      {canRead || plan || others !== null ? null : (
        <p className="small muted measure">{t('sharing.waiting')}</p>
      )}
      {problem ? <ErrorNote error={problem} /> : null}
      {plan && others === null ? <SharingForm plan={plan} /> : null}
    </>
  );
};

/** Whether this installation has people and profiles in common with its team, and the way there. */
export const SharingSection = ({ team }: { team: TeamStanding }) => {
  const t = useText();
  const sharing = useAppState(state => state.appState?.sharing ?? null);
  return (
    <section className="panel stack" aria-label={t('sharing.title')}>
      <h2>{t('sharing.title')}</h2>
      {sharing === null ? (
        <SharingStep isReachable={team.state === 'connected' || team.state === 'catching-up'} />
      ) : (
        <>
          {sharing.isPending && !sharing.arePeopleShared ? null : (
            <p className="small measure">
              {t(sharing.arePeopleShared ? 'sharing.on' : 'sharing.on.profiles')}
            </p>
          )}
          {sharing.isPending ? <Note>{t('sharing.pending')}</Note> : null}
        </>
      )}
    </section>
  );
};
