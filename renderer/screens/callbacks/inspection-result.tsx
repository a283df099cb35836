import { inLine } from '../../../shared/plain-text.ts';
import {
  Archive,
  ArrowRight,
  CircleCheck,
  CircleHelp,
  CircleX,
  SearchCheck,
  ShieldAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { LookUpKey } from '../../../shared/payments/evidence.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { InspectedCallback, InspectedField, Inspection } from '../../../shared/callbacks/inspection.ts';
import { Button } from '../../components/controls/button.tsx';
import { DataTable } from '../../components/display/data-table.tsx';
import { Note } from '../../components/display/notes.tsx';
import { InlineCode } from '../../components/display/inline-code.tsx';
import { VerificationMark } from '../../components/display/marks.tsx';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { useInspector } from '../../stores/callbacks/inspector-store.ts';
import { go } from '../../stores/route-store.ts';
import { useMessage, useText } from '../../i18n/text.ts';

type Band = InspectedField['band'];
const bands: readonly Band[] = [
  'not-proven',
  'signed-different',
  'signed-equal',
  'signed-no-record',
  'not-signed',
];
const bandIcons: Readonly<Record<Band, ReactNode>> = {
  'signed-equal': <CircleCheck size={14} aria-hidden="true" />,
  'signed-different': <CircleX size={14} aria-hidden="true" />,
  'signed-no-record': <CircleHelp size={14} aria-hidden="true" />,
  'not-proven': <ShieldAlert size={14} aria-hidden="true" />,
  'not-signed': <ShieldAlert size={14} aria-hidden="true" />,
};

const BandTable = ({ band, fields }: { band: Band; fields: readonly InspectedField[] }) => {
  const t = useText();
  const say = useMessage();
  if (fields.length === 0) return null;
  return (
    <section className={`band ${band}`} aria-label={t(`band.${band}`)}>
      <header className="band-head line wrap">
        {bandIcons[band]}
        <h3>{t(`band.${band}`)}</h3>
        <span className="small quiet">{t(`band.${band}.text`)}</span>
      </header>
      <DataTable
        className="fields"
        rows={fields}
        // A name may occur twice, and the order is the gateway's.
        keyOf={({ name }, index) => `${name} ${index}`}
        columns={{
          name: { head: null, cell: ({ name }) => name, isName: true, className: 'code' },
          value: {
            head: null,
            cell: field => (
              <>
                <span className={`code break ${field.masked ? 'quiet' : ''}`}>{field.value || '–'}</span>
                {field.recorded !== null && band === 'signed-different' ? (
                  <span className="ink-bad small">{t('field.ours', { value: field.recorded })}</span>
                ) : null}
                {field.problem === null ? null : <span className="problem">{say(field.problem)}</span>}
              </>
            ),
          },
          meaning: {
            head: null,
            cell: ({ description }) => (description === null ? t('field.outside') : say(description)),
            className: 'small quiet field-meaning',
          },
        }}
      />
    </section>
  );
};

/** One callback: verdict, meaning, problems, and its fields in three bands. */
export const CallbackInspection = ({ callback }: { callback: InspectedCallback }) => {
  const t = useText();
  const say = useMessage();
  const profile = useAppState(
    state => state.appState?.profiles.find(one => one.id === callback.profileId) ?? null,
  );
  const activeProfile = useActiveProfile();
  const { profileId, orderNumber } = callback;
  return (
    <div className="stack">
      <section
        className={`panel callback-verdict stack gap-2 ${callback.doubt ?? callback.verification.verdict}`}
      >
        <div className="line spread wrap">
          <h2 className="title-size">
            <VerificationMark verification={callback.verification} doubt={callback.doubt} />
          </h2>
          <span className="small quiet">
            {profile && callback.verification.verdict === 'verified'
              ? t('callbacks.password-of', { profile: profile.name })
              : null}
          </span>
        </div>
        <p className="small">
          <InlineCode text={say(callback.explanation)} />
        </p>
        {profile &&
        activeProfile &&
        profile.id !== activeProfile.id &&
        callback.verification.verdict === 'verified' ? (
          <Note tone="warning">
            {t('callbacks.fits-other', {
              profile: profile.name,
              kind: t(`kind.${profile.kind}`),
              activeProfile: activeProfile.name,
            })}
          </Note>
        ) : null}
        {callback.nearMiss === null ? null : (
          <div className="near-miss pad-3 rounded">
            <strong>{t('callbacks.near-miss')}</strong>
            <p>
              <InlineCode text={say(callback.nearMiss.sentence)} />
            </p>
            <p className="tiny quiet">{t('callbacks.near-miss.text')}</p>
          </div>
        )}
      </section>
      <section
        className={`panel meaning stack gap-2 ${callback.meaning.effect}`}
        aria-label={t('callbacks.meaning')}
      >
        <div className="line spread wrap">
          <h2>{say(callback.meaning.title)}</h2>
          {callback.meaning.allowed ? null : (
            <span className="tag warning">{t('callbacks.not-allowed')}</span>
          )}
        </div>
        <p className="small">{say(callback.meaning.text)}</p>
        <div className="line wrap">
          {orderNumber === null ? null : (
            <span className="small">
              {t('new.order')} <span className="code">{inLine(orderNumber)}</span>
            </span>
          )}
          {callback.known ? <span className="tag">{t('callbacks.known')}</span> : null}
          {profileId !== null &&
          orderNumber !== null &&
          callback.fields.some(field => field.recorded !== null) ? (
            <Button
              variant="quiet"
              icon={ArrowRight}
              onPress={() => go({ screen: 'payment', profileId, orderNumber })}
            >
              {t('payment.open')}
            </Button>
          ) : null}
        </div>
      </section>
      {callback.problems.length > 0 ? (
        <Note tone="warning">
          <ul className="problem-list">
            {callback.problems.map(problem => (
              <li key={`${problem.field} ${say(problem.message)}`}>
                {problem.field === null || say(problem.message).includes(problem.field) ? null : (
                  <code>{problem.field} </code>
                )}
                {say(problem.message)}
              </li>
            ))}
          </ul>
        </Note>
      ) : null}
      <div className="panel stack">
        {bands.map(band => (
          <BandTable key={band} band={band} fields={callback.fields.filter(field => field.band === band)} />
        ))}
      </div>
    </div>
  );
};

/** What to look up instead of believing the callback; null if it names no payment. */
const lookUpKeyIn = ({ paymentId, orderNumber }: InspectedCallback): LookUpKey | null =>
  orderNumber === null
    ? paymentId === null
      ? null
      : { by: 'payment-id', value: paymentId }
    : lookUpKeyOf({ orderNumber, paymentIds: paymentId === null ? [] : [paymentId] });

/** The result for a text with one callback: form, signature, meaning, and the button to store it. */
export const TextInspection = ({ inspection }: { inspection: Inspection }) => {
  const t = useText();
  const say = useMessage();
  const profile = useActiveProfile();
  const { store, isStoring, stored } = useInspector();
  const [callback] = inspection.callbacks;
  const isProven =
    callback?.verification.verdict === 'verified' &&
    callback.doubt === null &&
    callback.meaning.effect !== 'against-record';
  const lookUpKey = callback ? lookUpKeyIn(callback) : null;
  return (
    <div className="stack" aria-live="polite">
      <div className="line spread wrap">
        <span className="line wrap">
          {inspection.form === null ? null : <span className="tag">{t(`form.${inspection.form}`)}</span>}
          <span className="small muted">{t('callbacks.found', { count: inspection.found })}</span>
        </span>
        <span className="line wrap">
          {!isProven && lookUpKey !== null ? (
            <Button
              request="payments.lookUp"
              variant="primary"
              icon={SearchCheck}
              onPress={() => go({ screen: 'look-up', by: lookUpKey.by, value: lookUpKey.value })}
            >
              {t('look-up.now')}
            </Button>
          ) : null}
          {callback && callback.doubt === null && profile ? (
            <Button
              request="callbacks.store"
              variant={isProven ? 'primary' : 'plain'}
              icon={Archive}
              isPending={isStoring}
              isDisabled={stored !== null}
              onPress={() => void store(profile.id)}
            >
              {t('callbacks.store')}
            </Button>
          ) : null}
        </span>
      </div>
      {stored === null ? null : (
        <Note>
          <output>
            {t('callbacks.stored', { stored: stored.stored, duplicates: stored.duplicates })}{' '}
            {stored.orders.slice(0, 5).map(order => (
              <Button
                key={paymentKey(order)}
                variant="quiet"
                onPress={() => go({ screen: 'payment', ...order })}
              >
                {inLine(order.orderNumber)}
              </Button>
            ))}
          </output>
        </Note>
      )}
      {inspection.problems.map(problem => (
        <Note key={say(problem)} tone="warning">
          {say(problem)}
        </Note>
      ))}
      {callback ? <CallbackInspection callback={callback} /> : null}
    </div>
  );
};
