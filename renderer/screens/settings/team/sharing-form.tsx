import { useState } from 'react';
import type { SharingPlan } from '../../../../shared/team/sharing.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Form } from '../../../forms/form.tsx';
import { PinBox } from '../../../forms/pin-box.tsx';
import { useTask } from '../../../forms/use-task.ts';
import { SelectBox } from '../../../components/controls/select.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { Note } from '../../../components/display/note.tsx';
import { useText, useList } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useAppState } from '../../../stores/app-state-store.ts';

/** Begins to use people and profiles of the team; adds those of this computer if a person wants it. */
export const SharingForm = ({ plan }: { plan: SharingPlan }) => {
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
              problem={null}
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
