import { TriangleAlert, Info, CircleStop } from 'lucide-react';
import { useState, type ReactNode, useEffect } from 'react';
import { Link } from 'react-aria-components';
import type { AppError } from '../../../shared/errors.ts';
import { request } from '../../ipc-client.ts';
import { hrefOf } from '../../routes.ts';
import { Button } from '../controls/button.tsx';
import { Copyable } from '../controls/copyable.tsx';
import { useMessage, useText } from '../../i18n/text.ts';

/** A note: information or a warning. */
export const Note = ({ tone = 'info', children }: { tone?: 'info' | 'warning'; children: ReactNode }) => (
  <div className={`note ${tone}`}>
    {tone === 'info' ? <Info size={16} aria-hidden="true" /> : <TriangleAlert size={16} aria-hidden="true" />}
    <div className="small">{children}</div>
  </div>
);

/** An empty state: describes the future content and how to begin. */
export const Empty = ({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) => (
  <div className="empty stack gap-2">
    <div className="empty-icon round centred on-sunken quiet" aria-hidden="true">
      {icon}
    </div>
    <h2>{title}</h2>
    <p className="muted">{children}</p>
    {action}
  </div>
);

/** Codes whose title says all that a person can use: main's message is the same in the words of the technique. */
const isForIt = (code: string): boolean => code.startsWith('gateway.') || code === 'profile.password-missing';

/**
 * What happened, one sentence about it and one next step for the person who met the error. What only IT can use (the
 * words of a provider, paths of fields, the code) is folded away. No text is shown twice.
 */
export const ErrorNote = ({ error, children }: { error: AppError; children?: ReactNode }) => {
  const t = useText();
  const say = useMessage();
  const fields = error.fields ?? [];
  const reference = error.details?.['reference'];
  const forIt = isForIt(error.code);
  const message = say(error.message);
  // A refusal's reason is the provider's own, and the person can act on it.
  const title = error.code === 'gateway.refused' ? message : t(`error.${error.code}`);
  const ownHint = error.hint ? say(error.hint) : null;
  const next = (forIt ? null : ownHint) ?? t(`hint.${error.code}`);
  const shown = new Set([title, next]);
  /** Each text that is not shown yet, once. */
  const fresh = (texts: readonly string[]): string[] =>
    texts.filter(text => text !== '' && !shown.has(text) && shown.add(text));
  const sentences = forIt ? [] : fresh([message]);
  const named =
    error.code === 'gateway.signature-refused' ? [] : fresh(fields.map(field => say(field.message)));
  const paths = fields.map(({ path }) => path).filter(path => path !== '');
  const technical = fresh([message, ownHint ?? '', ...fields.map(field => say(field.message))]);
  return (
    <div className="note error" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="stack tight">
        <p className="bold">{title}</p>
        {sentences.map(text => (
          <p key={text} className="small">
            {text}
          </p>
        ))}
        {named.length > 0 ? (
          <ul className="small problem-list">
            {named.map(text => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        ) : null}
        <p className="small muted">{next}</p>
        {error.code === 'profile.password-missing' ? (
          <Link className="small" href={hrefOf({ screen: 'settings', section: 'profiles', id: null })}>
            {t('error.to-password')}
          </Link>
        ) : null}
        <details className="note-details">
          <summary className="tiny">{t('error.for-it')}</summary>
          {technical.map(text => (
            <p key={text} className="tiny quiet">
              {text}
            </p>
          ))}
          <p className="tiny quiet">
            <code>{[error.code, ...paths].join(' ')}</code>
          </p>
        </details>
        {typeof reference === 'string' ? (
          <div className="line wrap">
            <Copyable name={t('error.reference')} text={reference} />
            <Button variant="quiet" onPress={() => void request('app.showLog', {})}>
              {t('error.show-log')}
            </Button>
          </div>
        ) : null}
        {children === undefined ? null : <div className="line wrap">{children}</div>}
      </div>
    </div>
  );
};

/**
 * An error on a page, over it: what is read, typed or pressed below keeps its place. Null: none. `isEmpty`: nothing is
 * below, so that it takes the page's place.
 */
export const PageError = ({
  error,
  isEmpty = false,
  children,
}: {
  error: AppError | null;
  isEmpty?: boolean;
  children?: ReactNode;
}) => {
  const t = useText();
  const [dismissed, setDismissed] = useState<AppError | null>(null);
  if (error === null || error === dismissed) return null;
  return isEmpty ? (
    <ErrorNote error={error}>{children}</ErrorNote>
  ) : (
    <div className="over-page">
      <ErrorNote error={error}>
        {children}
        <Button variant="quiet" onPress={() => setDismissed(error)}>
          {t('dismiss')}
        </Button>
      </ErrorNote>
    </div>
  );
};

/** Delay before the button appears. */
const delayMs = 1_000;

type Wait = {
  description: string;
  onCancel: () => void;
  isOverPage?: boolean;
};

const SlowNotice = ({ description, onCancel, isOverPage = false }: Wait) => {
  const t = useText();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), delayMs);
    return () => window.clearTimeout(timer);
  }, []);
  const wait = (
    <span className="line wrap">
      <Button icon={CircleStop} onPress={onCancel}>
        {t('waiting-for.stop')}
      </Button>
      <span className="small quiet">{description}</span>
    </span>
  );
  return isOverPage ? (
    <output className="over-page">{isLate ? <Note>{wait}</Note> : null}</output>
  ) : (
    <output>{isLate ? wait : null}</output>
  );
};

/**
 * Cancels waiting for the gateway. `description`: the effect of cancelling. `isOverPage`: over what it would otherwise
 * move.
 */
export const CancelWaitButton = ({ isWaiting, ...wait }: Wait & { isWaiting: boolean }) =>
  isWaiting ? <SlowNotice {...wait} /> : null;
