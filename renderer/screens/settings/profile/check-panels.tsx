import { ArrowRight, Pencil, RefreshCw, Eye } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RequestOutput, DryRun } from '../../../../shared/contract/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { BetterSetting, CheckedField } from '../../../../shared/settings/connection-check.ts';
import type { ProfileView, ProfileDraft } from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/notes.tsx';
import { request } from '../../../ipc-client.ts';
import { verdictOf } from '../../../guide-steps.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { go } from '../../../stores/route-store.ts';
import { credentialHealthQuery } from '../../../queries/settings.ts';
import { openProfileField } from '../../../stores/settings/profile-focus-store.ts';
import { draftOf } from '../../../stores/settings/profile-form.ts';
import { passCheck } from '../../../queries/guide.ts';
import { useMessage, useText, type Translate } from '../../../i18n/text.ts';
import { CheckSteps } from '../health-step.tsx';
import { fieldLabels } from './form-fields.ts';
import { CodeBlock } from '../../../components/display/code-block.tsx';
import { useTask } from '../../../forms/form.tsx';
import { Assumption } from './assumption.tsx';

/** The exact bytes that the profile in the form would send, and the input of each hash. */
export const DryRunPanel = ({ draft }: { draft: () => ProfileDraft }) => {
  const t = useText();
  const [requests, setRequests] = useState<readonly DryRun[]>([]);
  const { problem, send } = useTask();
  const show = (): Promise<void> => {
    setRequests([]);
    return send(
      () => request('profiles.dryRun', { profile: draft() }),
      shown => setRequests(shown.requests),
    );
  };
  return (
    <section className="panel stack" aria-label={t('dry-run.name')}>
      <div className="line spread wrap">
        <p className="small quiet">{t('dry-run.lead')}</p>
        <Button icon={Eye} onPress={() => void show()}>
          {t('dry-run.show')}
        </Button>
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {requests.map(request => (
        <div key={request.name} className="stack tight">
          <h3 className="line">
            {t(`dry-run.${request.name}`)}
            {request.documented ? (
              <span className="tag">{t('dry-run.documented', { section: request.section })}</span>
            ) : (
              <Assumption section={request.section} />
            )}
          </h3>
          {request.method === null ? null : (
            <p className="small code break">
              {request.method} {request.address}
            </p>
          )}
          {request.body === null ? null : (
            <CodeBlock
              exact
              name={`${t(`dry-run.${request.name}`)}: ${t('dry-run.body')}`}
              text={request.body}
            />
          )}
          <CodeBlock
            exact
            name={`${t(`dry-run.${request.name}`)}: ${t('dry-run.signed')}`}
            text={request.signed}
          />
        </div>
      ))}
    </section>
  );
};

type Checked = RequestOutput<'profiles.check'>;

/** The value of a setting, as the form names it. */
const valueOf = (better: BetterSetting, t: Translate): string => {
  if ('statusForm' in better) return t(`status-form.${better.statusForm}`);
  if ('digest' in better) return t(`digest.${better.digest}`);
  if ('sessionPath' in better) return better.sessionPath;
  return t(`uppercasing.${better.requestUppercasing}`);
};

const labelOf = (field: CheckedField, t: Translate): string => {
  const key = fieldLabels[field];
  return key === undefined ? field : t(key);
};

/** The result of a lower profile would open below the visible part of the page. */
const showInPage = (panel: HTMLElement | null): void => {
  requestAnimationFrame(() => panel?.scrollIntoView({ block: 'nearest' }));
};

/** The connection check of a profile: its verdict, each step, and the one action that leads on. */
export const ConnectionCheck = ({
  profile,
  onAgain,
  onClose,
}: {
  profile: ProfileView;
  /** Replaces this check by a new one, after the profile was saved with a better setting. */
  onAgain: (better?: BetterSetting) => void;
  /** Absent: the check is part of a form. */
  onClose?: () => void;
}) => {
  const t = useText();
  const { id, kind } = profile;
  const say = useMessage();
  const change = useAppState(state => state.change);
  const isActive = useAppState(state => state.appState?.settings.activeProfileId === id);
  const hasOwnProfile = useAppState(
    state => state.appState?.profiles.some(one => one.kind !== 'sandbox') ?? false,
  );
  const [result, setResult] = useState<Checked | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  const panel = useRef<HTMLElement>(null);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    head.current?.focus({ preventScroll: true });
    showInPage(panel.current);
  }, []);
  useEffect(() => {
    let current = true;
    const check = async (): Promise<void> => {
      const checked = await request('profiles.check', { id });
      if (!current) return;
      if (checked.ok) {
        setResult(checked.value);
        // The guide's step is about the merchant's own account, once there is one.
        const isOwn = kind !== 'sandbox' || !hasOwnProfile;
        if (isOwn && verdictOf(checked.value) === 'ready') passCheck();
      } else setProblem(checked.error);
      showInPage(panel.current);
      void credentialHealthQuery.read({ id });
    };
    void check();
    return () => {
      current = false;
    };
  }, [id, kind, hasOwnProfile]);
  const use = async (better: BetterSetting): Promise<void> => {
    const saved = await request('profiles.save', {
      id,
      profile: { ...draftOf(profile), ...better },
      password: null,
    });
    if (saved.ok) onAgain(better);
    else setProblem(saved.error);
  };
  const verdict = result && verdictOf(result);
  const cause = result?.steps.find(({ outcome }) => outcome === (verdict === 'stopped' ? 'bad' : 'warning'));
  const better = result?.better ?? null;
  const goOn =
    verdict === 'ready' && !isActive
      ? 'check.use'
      : verdict === 'reached' && profile.password !== 'missing'
        ? 'check.create-link'
        : null;
  // The sandbox's profile has no form.
  const suspects = kind === 'sandbox' ? [] : (result?.suspects ?? []);
  return (
    <section ref={panel} className="check" aria-label={t('profile.check')} aria-live="polite">
      <div className="line spread">
        <h3 ref={head} tabIndex={-1}>
          {t('check.name')}
        </h3>
        {onClose ? (
          <Button variant="quiet" onPress={onClose}>
            {t('close')}
          </Button>
        ) : null}
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {result === null && problem === null ? <p className="quiet small">{t('check.running')}</p> : null}
      {verdict === null ? null : (
        <div className={`check-verdict rounded medium ${verdict}`}>
          <p>{t(`check.${verdict}`)}</p>
          {cause ? (
            <>
              <p className="small">
                <strong>{say(cause.title)}</strong>
              </p>
              <p className="small">{say(cause.todo ?? cause.meaning)}</p>
            </>
          ) : null}
        </div>
      )}
      {result === null ? null : (
        <details className="check-steps">
          <summary className="small">{t('check.steps', { count: result.steps.length })}</summary>
          <CheckSteps steps={result.steps.filter(step => step !== cause)} />
        </details>
      )}
      {suspects.length === 0 ? null : (
        <div className="line wrap">
          <span className="small">{t('connection.look')}</span>
          {suspects.map(field => (
            <Button key={field} icon={Pencil} onPress={() => openProfileField(id, field)}>
              {labelOf(field, t)}
            </Button>
          ))}
        </div>
      )}
      {result === null && problem === null ? null : (
        <div className="line wrap">
          {better === null ? null : (
            <Button variant="primary" request="profiles.save" onPress={() => void use(better)}>
              {t('connection.better', { value: valueOf(better, t) })}
            </Button>
          )}
          {goOn === null ? null : (
            <Button
              variant="primary"
              icon={ArrowRight}
              onPress={() => {
                void change({ activeProfileId: id });
                go({ screen: 'new' });
              }}
            >
              {t(goOn)}
            </Button>
          )}
          <Button variant="quiet" icon={RefreshCw} onPress={() => onAgain()}>
            {t('check.again')}
          </Button>
        </div>
      )}
    </section>
  );
};
