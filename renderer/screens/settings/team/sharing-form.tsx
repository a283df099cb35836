import { Check } from 'lucide-react';
import { useState } from 'react';
import { Checkbox, CheckboxGroup, Form, Label, Text } from 'react-aria-components';
import type { AppError } from '../../../../shared/errors.ts';
import { profilesOf } from '../../../../shared/settings/account.ts';
import type { ProfileMapping, SharingPlan } from '../../../../shared/team/sharing.ts';
import { Button } from '../../../components/controls/button.tsx';
import { PinBox } from '../../../components/controls/pin-box.tsx';
import { SelectBox, type Option } from '../../../components/controls/select.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { KindMark } from '../../../components/display/kind-mark.tsx';
import { Note } from '../../../components/display/note.tsx';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useAppState } from '../../../stores/app-state-store.ts';

type Target = ProfileMapping['to'];
type Confirming = { person: string; pin: string };

const toKey = (to: Target): string => (to.kind === 'existing' ? `existing ${to.id}` : to.kind);

const toTarget = (key: string): Target => {
  const [kind, id] = key.split(' ');
  if (kind === 'existing' && id !== undefined) return { kind, id };
  return { kind: kind === 'add' ? 'add' : 'stay' };
};

/** What becomes of each local profile. */
const Profiles = ({
  plan: { profiles, shared, mayChange },
  mapping,
  onChange,
}: {
  plan: SharingPlan;
  mapping: readonly ProfileMapping[];
  onChange: (id: string, to: Target) => void;
}) => {
  const t = useText();
  const optionsFor = (profile: SharingPlan['profiles'][number]): readonly Option[] => {
    const same = shared.find(({ id }) => id === profile.id) ?? profilesOf(shared, profile)[0];
    return [
      ...(same ? [same] : shared).map(one => ({
        id: toKey({ kind: 'existing', id: one.id }),
        name: t('sharing.to.existing', { name: one.name }),
        detail: one.merchantKey,
      })),
      // The team has its account already.
      ...(same
        ? []
        : [
            ...(mayChange ? [{ id: 'add', name: t('sharing.to.add') }] : []),
            { id: 'stay', name: t('sharing.to.stay') },
          ]),
    ];
  };
  return (
    <section className="stack" aria-label={t('sharing.profiles')}>
      <div>
        <h3>{t('sharing.profiles')}</h3>
        <p className="small muted measure">
          {t(profiles.length === 0 ? 'sharing.profiles.none' : 'sharing.profiles.hint')}
        </p>
      </div>
      {profiles.map(profile => (
        <SelectBox
          key={profile.id}
          label={profile.name}
          labelExtra={<KindMark kind={profile.kind} />}
          hint={<span className="code break">{`${profile.baseUrl} · ${profile.merchantKey}`}</span>}
          options={optionsFor(profile)}
          value={toKey(mapping.find(({ id }) => id === profile.id)?.to ?? { kind: 'stay' })}
          onChange={key => onChange(profile.id, toTarget(key))}
        />
      ))}
    </section>
  );
};

/** Local people whom an administrator of the team adds to it. */
const NewPeople = ({
  plan: { people, newPeople },
  chosen,
  onChoose,
  confirming,
  onConfirm,
}: {
  plan: SharingPlan;
  chosen: readonly string[];
  onChoose: (ids: string[]) => void;
  confirming: Confirming;
  onConfirm: (confirming: Confirming) => void;
}) => {
  const t = useText();
  const administrators = people.filter(({ role }) => role === 'administrator');
  const administrator = administrators.find(({ id }) => id === confirming.person);
  return (
    <>
      <CheckboxGroup className="field" value={[...chosen]} onChange={onChoose}>
        <Label>{t('sharing.people.add')}</Label>
        <div className="line wrap">
          {newPeople.map(({ id, name }) => (
            <Checkbox key={id} value={id} className="checkbox">
              <span className="checkbox-box" aria-hidden="true">
                <Check size={12} />
              </span>
              {name}
            </Checkbox>
          ))}
        </div>
        <Text slot="description" className="hint">
          {t('sharing.people.add.hint')}
        </Text>
      </CheckboxGroup>
      {chosen.length === 0 ? null : (
        <div className="pair">
          <SelectBox
            label={t('sharing.people.by')}
            options={administrators.map(({ id, name }) => ({ id, name }))}
            value={confirming.person}
            onChange={person => onConfirm({ person, pin: '' })}
          />
          {administrator?.hasPin ? (
            <PinBox
              label={t('sharing.people.pin', { name: administrator.name })}
              value={confirming.pin}
              onChange={pin => onConfirm({ ...confirming, pin })}
              problem={null}
            />
          ) : null}
        </div>
      )}
    </>
  );
};

/** Maps profiles, offers people, and begins to use those of the team. */
export const SharingForm = ({ plan }: { plan: SharingPlan }) => {
  const t = useText();
  const { people, newPeople, mayChange } = plan;
  const own = useAppState(state => state.appState?.agents ?? []);
  const open = useAppState(state => state.open);
  const list = new Intl.ListFormat(useLocaleChoice().locale);
  const namesOf = (some: readonly { name: string }[]): string => list.format(some.map(({ name }) => name));
  const [mapping, setMapping] = useState<readonly ProfileMapping[]>(
    plan.profiles.map(({ id, to }) => ({ id, to })),
  );
  const [chosen, setChosen] = useState<string[]>([]);
  const [confirming, setConfirming] = useState<Confirming>({
    person: people.find(({ role }) => role === 'administrator')?.id ?? '',
    pin: '',
  });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);
  const needsPin = people.find(({ id }) => id === confirming.person)?.hasPin === true;
  const isIncomplete = chosen.length > 0 && needsPin && confirming.pin.length < 4;

  const share = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const shared = await request('team.share', {
      profiles: [...mapping],
      people:
        chosen.length === 0 ? null : { ids: chosen, person: confirming.person, pin: confirming.pin || null },
    });
    setBusy(false);
    if (shared.ok) open(shared.value);
    // The signed-in person is not one of the team: the lock screen follows.
    else if (shared.error.code !== 'app.locked') setProblem(shared.error);
  };

  return (
    <Form
      className="stack"
      aria-label={t('sharing.title')}
      onSubmit={event => {
        event.preventDefault();
        if (!isIncomplete) void share();
      }}
    >
      {mayChange ? null : <Note>{t('sharing.read-only')}</Note>}
      <Profiles
        plan={plan}
        mapping={mapping}
        onChange={(id, to) => setMapping(mapping.map(one => (one.id === id ? { id, to } : one)))}
      />
      <section className="stack" aria-label={t('sharing.people')}>
        <div>
          <h3>{t('sharing.people')}</h3>
          <p className="small measure break">
            {people.length > 0
              ? t('sharing.people.theirs', { names: namesOf(people) })
              : mayChange
                ? t('sharing.people.import', { names: namesOf(own) })
                : t('sharing.people.later')}
          </p>
        </div>
        {people.length === 0 || newPeople.length === 0 ? null : mayChange ? (
          <NewPeople
            plan={plan}
            chosen={chosen}
            onChoose={setChosen}
            confirming={confirming}
            onConfirm={setConfirming}
          />
        ) : (
          <Note tone="warning">{t('sharing.people.lost', { names: namesOf(newPeople) })}</Note>
        )}
      </section>
      {problem ? <ErrorNote error={problem} /> : null}
      <div className="line">
        <Button type="submit" variant="primary" isPending={isBusy} isDisabled={isIncomplete}>
          {t('sharing.start')}
        </Button>
      </div>
    </Form>
  );
};
