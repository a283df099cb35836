import { Time } from '../../components/display/time.tsx';
import { request } from '../../ipc-client.ts';
import { createQuery } from '../../queries/create-query.ts';
import { useText } from '../../i18n/text.ts';

const inquiriesQuery = createQuery({
  read: (of: { profileId: string }) => request('lookUps.inquiries', of),
});

/** The latest look-ups that found no payment: stored, but not payments. Read once: use the last answer as its key. */
export const Inquiries = ({ profileId }: { profileId: string }) => {
  const t = useText();
  const inquiries = inquiriesQuery.use({ profileId }).value?.inquiries ?? [];
  if (inquiries.length === 0) return null;
  return (
    <section className="panel stack tight" aria-label={t('inquiries.name')}>
      <h2>{t('inquiries.name')}</h2>
      <p className="small muted">{t('inquiries.text')}</p>
      <ul className="stack tight">
        {inquiries.map(({ id, at, agent, asked: key, problem, statuses }) => (
          <li key={id}>
            <div className="line spread wrap">
              <span className="code break">{key.value}</span>
              <span className="small quiet">
                <Time at={at} /> · {agent}
              </span>
            </div>
            <div className="small muted">
              {problem === null
                ? t('inquiries.other-order', { status: statuses.join(', ') })
                : t(`error.${problem.code}`)}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
};
