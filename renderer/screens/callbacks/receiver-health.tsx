import type { ReceiverHealth } from '../../../shared/contract.ts';
import { Copyable } from '../../components/copyable.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Time } from '../../components/time.tsx';
import { useDesk } from '../../stores/desk.ts';
import { useLocaleChoice, useText } from '../../text.ts';

/** How the receiver is doing, and the addresses to enter in the gateway's dashboard. */
export const Addresses = ({ health }: { health: ReceiverHealth }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const profiles = useDesk(state => state.desk?.profiles ?? []);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return (
    <section className="panel stack tight" aria-label={t('receiver.name')}>
      <header className="line spread">
        <h2>{t('receiver.name')}</h2>
        <span className={`health ${health.problem ? 'bad' : health.listening ? 'on' : 'off'}`}>
          <span className="health-dot" aria-hidden="true" />
          {health.problem ? t('receiver.bad') : health.listening ? t('receiver.on') : t('receiver.off')}
        </span>
      </header>
      {health.problem ? <ErrorNote error={health.problem} /> : null}
      <dl className="numbers">
        <div>
          <dt>{t('receiver.received')}</dt>
          <dd>{number.format(health.received)}</dd>
        </div>
        <div>
          <dt>{t('receiver.unverified')}</dt>
          <dd>{number.format(health.unverified)}</dd>
        </div>
        <div>
          <dt>{t('receiver.answer')}</dt>
          <dd>
            {health.answerMs === null
              ? '–'
              : t('milliseconds', { ms: number.format(health.answerMs.median) })}
          </dd>
        </div>
        <div>
          <dt>{t('receiver.last')}</dt>
          <dd>{health.lastAt === null ? '–' : <Time at={health.lastAt} />}</dd>
        </div>
      </dl>
      {health.addresses.map(address => (
        <Copyable
          key={address.profileId}
          name={t('receiver.address', {
            profile: profiles.find(profile => profile.id === address.profileId)?.name ?? address.profileId,
          })}
          text={address.url}
        />
      ))}
      {health.addresses.length === 0 ? <p className="small quiet">{t('receiver.none')}</p> : null}
    </section>
  );
};
