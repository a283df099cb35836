import '../../../styles/screens/profile-form.css';
import { useEffect, useRef, useState } from 'react';
import { Save, FileDown } from 'lucide-react';
import { msg } from '../../../../shared/messages/message.ts';
import { addressScope } from '../../../../shared/network-address.ts';
import {
  needsPasswordAgain,
  type ProfileDraft,
  type ProfileView,
} from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Toggle, TextBox, SecretBox } from '../../../components/controls/fields.tsx';
import { RadioChoice } from '../../../components/controls/radio-choice.tsx';
import { KindMark } from '../../../components/display/marks.tsx';
import { Note, ErrorNote } from '../../../components/display/notes.tsx';
import { request } from '../../../ipc-client.ts';
import { draftFrom, missingFields, useProfileForm } from '../../../stores/settings/profile-form.ts';
import { leaveProfileForm, useProfileFocus } from '../../../stores/settings/profile-focus-store.ts';
import { Form, FormFoot, useTask } from '../../../forms/form.tsx';
import { useText, useMessage } from '../../../i18n/text.ts';
import { DryRunPanel, ConnectionCheck } from './check-panels.tsx';
import { Advanced } from './advanced.tsx';
import { focusField, fieldLabels } from './form-fields.ts';
import type { AppError } from '../../../../shared/errors.ts';

/** Saves two ready pages for the addresses of a merchant without a shop. `merchant`: the name on them, or ''. */
const ReturnPages = ({ merchant }: { merchant: string }) => {
  const t = useText();
  const [files, setFiles] = useState<readonly string[]>([]);
  const { problem, send } = useTask();
  const save = (): Promise<void> => {
    setFiles([]);
    return send(
      () => request('profiles.saveReturnPages', { merchant }),
      saved => setFiles(saved.files),
    );
  };
  return (
    <div className="stack tight">
      <div className="line wrap">
        <p className="hint">{t('profile.return-pages')}</p>
        <Button request="profiles.saveReturnPages" size="small" icon={FileDown} onPress={() => void save()}>
          {t('profile.return-pages.save')}
        </Button>
      </div>
      <output className="small">
        {files.length === 0 ? null : t('profile.return-pages.saved', { files: files.join(', ') })}
      </output>
      {problem ? <ErrorNote error={problem} /> : null}
    </div>
  );
};

/** A problem's field as the form names it. */
const fieldOf = (path: string): string => {
  const name = path.replace(/^profile\./, '');
  return name.startsWith('merchant.address') ? 'merchant.address' : name;
};

/**
 * What keeps a profile from being saved, above the form: each problem leads to its field. It takes the focus, because
 * the button that was pressed is at the other end of a long form.
 */
const ProblemSummary = ({ problem }: { problem: AppError & { fields: NonNullable<AppError['fields']> } }) => {
  const t = useText();
  const say = useMessage();
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    summary.current?.focus({ preventScroll: true });
    summary.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const order = Object.keys(fieldLabels);
  const placeOf = (path: string): number =>
    (order.indexOf(fieldOf(path)) + order.length) % (order.length + 1);
  const fields = problem.fields.toSorted((one, other) => placeOf(one.path) - placeOf(other.path));
  const show = (path: string): void =>
    void focusField(summary.current?.closest('form') ?? null, fieldOf(path));
  return (
    <section
      ref={summary}
      className="problem-summary rounded-l"
      aria-labelledby="problem-summary-title"
      tabIndex={-1}
    >
      <h3 id="problem-summary-title">{t('profile.problems', { count: problem.fields.length })}</h3>
      <ul>
        {fields.map(({ path, message }) => {
          const label = fieldLabels[fieldOf(path)];
          return (
            <li key={path}>
              <button
                type="button"
                className="problem-link text-start as-text ink-bad small"
                onClick={() => show(path)}
              >
                {label === undefined ? say(message) : `${t(label)}: ${say(message)}`}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

/** A merchant profile. The password is write-only; settings that the interface leaves open are labelled. */
export const ProfileEditor = ({ profile }: { profile: ProfileView | null }) => {
  const t = useText();
  const { form, isChanged, change, settle } = useProfileForm('profile', profile);
  const [password, setPassword] = useState('');
  const [thisRunOnly, setThisRunOnly] = useState(false);
  const { isBusy, problem, setProblem, problemOf, send } = useTask();
  /** Counts attempts to save: the summary of each takes the focus. */
  const [attempt, setAttempt] = useState(0);
  const nameBox = useRef<HTMLInputElement>(null);
  /** The number of the open check; 0 = none. */
  const [checks, setChecks] = useState(() => (useProfileFocus.getState().checked === profile?.id ? 1 : 0));
  /** The field that a connection check leads to: its group is open. */
  const sought = useProfileFocus(({ field }) => field);
  useEffect(() => {
    const { checked } = useProfileFocus.getState();
    const form = nameBox.current?.closest('form') ?? null;
    if (checked === null && (sought === null || !focusField(form, sought.path)))
      nameBox.current?.focus({ preventScroll: true });
    useProfileFocus.setState({ checked: null });
  }, [sought]);
  useEffect(() => () => useProfileFocus.setState({ field: null }), []);
  const { draft } = form;
  const set = (changed: Partial<ProfileDraft>): void =>
    change(before => ({ ...before, draft: { ...before.draft, ...changed } }));
  const fieldProblem = (path: string): string | null => problemOf(path, `profile.${path}`);
  const text = (name: 'name' | 'baseUrl' | 'merchantKey' | 'successUrl' | 'cancelUrl') => ({
    name,
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
    problem: fieldProblem(name),
    autoComplete: 'off',
  });
  const isAskedAgain =
    profile !== null && profile.password !== 'missing' && needsPasswordAgain(profile, draftFrom(form));
  const address = URL.parse(draft.baseUrl.trim());
  const scope = addressScope(address?.hostname ?? '');
  const leave = (to: string | null = null): void => leaveProfileForm(profile?.id ?? 'new', to);
  const keychainFailed = problem?.code.startsWith('keychain.') ?? false;

  const save = (isChecked: boolean): void => {
    setAttempt(count => count + 1);
    const missing = missingFields(form, profile === null && password === '');
    if (missing.length > 0) {
      const message = msg('profile.required');
      setProblem({
        code: 'input.invalid',
        message: msg('error.input.invalid'),
        fields: missing.map(path => ({ path, message })),
      });
      return;
    }
    void send(
      () =>
        request('profiles.save', {
          id: profile?.id ?? null,
          profile: draftFrom(form),
          password: password === '' ? null : password,
          thisRunOnly,
        }),
      ({ id }) => {
        setPassword('');
        settle();
        if (!isChecked) leave();
        else if (profile) setChecks(count => count + 1);
        else {
          useProfileFocus.setState({ checked: id });
          leave(id);
        }
      },
    );
  };

  return (
    <Form label={profile ? t('profile.edit') : t('profile.add')} onSubmit={() => save(true)}>
      <div className="line">
        <h2 className="title-size">{profile ? profile.name : t('profile.add')}</h2>
        <KindMark kind={draft.kind} />
      </div>
      {problem?.fields === undefined ? null : (
        <ProblemSummary key={`problems ${attempt}`} problem={{ ...problem, fields: problem.fields }} />
      )}
      <section className="panel stack" aria-label={t('profile.group.account')}>
        <RadioChoice
          className="kind-choice stack gap-1"
          optionClass="kind-option stack gap-1 at-start rounded"
          box="pair"
          label={t('profile.kind')}
          options={(['test', 'live'] as const).map(id => ({
            id,
            className: id,
            name: (
              <>
                <KindMark kind={id} />
                <span className="small">{t(`profile.kind.${id}`)}</span>
              </>
            ),
          }))}
          value={draft.kind}
          onChange={kind => set({ kind })}
        />
        <div className="pair">
          <TextBox {...text('name')} label={t('profile.name')} inputRef={nameBox} isRequired />
          <TextBox
            {...text('baseUrl')}
            label={t('profile.base-url')}
            hint={t('profile.base-url.hint')}
            inputClass="code"
            isRequired
          />
          <TextBox
            {...text('merchantKey')}
            label={t('profile.merchant-key')}
            hint={t('profile.merchant-key.hint')}
            inputClass="code"
            isRequired
          />
          <SecretBox
            label={t('profile.password')}
            name="password"
            value={password}
            onChange={setPassword}
            hint={
              isAskedAgain
                ? // The problem says the same.
                  fieldProblem('password') === null
                  ? t('profile.password.again')
                  : undefined
                : profile
                  ? t(`password.${profile.password}`)
                  : t('profile.password.hint')
            }
            placeholder={
              profile && profile.password !== 'missing' && !isAskedAgain ? t('profile.password.keep') : ''
            }
            problem={fieldProblem('password')}
            isRequired={profile === null || isAskedAgain}
          />
          <TextBox
            {...text('successUrl')}
            label={t('profile.success-url')}
            hint={t('profile.success-url.hint', { order: '{order}' })}
            inputClass="code"
            isRequired
          />
          <TextBox
            {...text('cancelUrl')}
            label={t('profile.cancel-url')}
            hint={t('profile.cancel-url.hint')}
            inputClass="code"
            isRequired
            trail={
              draft.cancelUrl.trim() === '' && draft.successUrl.trim() !== '' ? (
                <Button variant="quiet" onPress={() => set({ cancelUrl: draft.successUrl })}>
                  {t('profile.cancel-url.same')}
                </Button>
              ) : null
            }
          />
        </div>
        <ReturnPages merchant={draft.merchant.name} />
        {(address?.pathname ?? '/') === '/' ? null : <Note tone="warning">{t('profile.base-url.path')}</Note>}
        {scope === 'public' ? null : <Note tone="warning">{t(`profile.base-url.${scope}`)}</Note>}
        {keychainFailed || thisRunOnly ? (
          <Toggle isEnabled={thisRunOnly} onChange={setThisRunOnly} hint={t('profile.this-run.text')}>
            {t('profile.this-run')}
          </Toggle>
        ) : null}
      </section>
      <Advanced
        form={form}
        onChange={next => change(() => next)}
        problem={problem}
        sought={sought?.path ?? null}
        fieldProblem={fieldProblem}
      />
      <DryRunPanel draft={() => draftFrom(form)} />
      {profile === null || checks === 0 ? null : (
        <ConnectionCheck
          // Another one than its sibling’s.
          key={`check ${checks}`}
          profile={profile}
          onAgain={better => {
            if (better) set(better);
            setChecks(checks + 1);
          }}
        />
      )}
      <div className="form-foot line-above stack gap-3">
        <FormFoot
          problem={problem?.fields === undefined ? problem : null}
          name={t('profile.save')}
          line="line wrap"
          size="large"
          icon={Save}
          isPending={isBusy}
        >
          {profile === null ? null : (
            <Button size="large" isDisabled={isBusy} onPress={() => save(false)}>
              {t('save')}
            </Button>
          )}
          <Button
            variant="quiet"
            size="large"
            onPress={() => {
              settle();
              leave();
            }}
          >
            {t(checks > 0 && !isChanged ? 'close' : 'cancel')}
          </Button>
          <output className="small">{isChanged ? t('form.unsaved') : null}</output>
        </FormFoot>
      </div>
    </Form>
  );
};
