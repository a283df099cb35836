import { useState } from 'react';
import { CircleCheck, ShieldCheck } from 'lucide-react';
import type { VerifyReport } from '../../../shared/contract.ts';
import type { DeskError } from '../../../shared/errors.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Note } from '../../components/note.tsx';
import { Time } from '../../components/time.tsx';
import { call } from '../../desk.ts';
import { useDesk } from '../../stores/desk.ts';
import { useText } from '../../text.ts';

const retentions = ['0', '30', '90', '365', '730'] as const;

/** The payment log: where it is, how long customer details stay, and whether its chain holds. */
export const Data = () => {
  const t = useText();
  const desk = useDesk(state => state.desk);
  const change = useDesk(state => state.change);
  const [verifying, setVerifying] = useState(false);
  const [report, setReport] = useState<(VerifyReport & { at: number }) | null>(null);
  const [problem, setProblem] = useState<DeskError | null>(null);
  if (!desk) return null;
  const verify = async (): Promise<void> => {
    setVerifying(true);
    setProblem(null);
    const verified = await call('log.verify', {});
    setVerifying(false);
    if (verified.ok) setReport({ ...verified.value, at: Date.now() });
    else setProblem(verified.error);
  };
  const days = String(desk.settings.retentionDays);
  const offered = retentions.some(one => one === days) ? retentions : [...retentions, days];
  return (
    <section className="stack" aria-label={t('settings.data')}>
      <div className="panel stack">
        <dl className="facts wide-facts">
          <div className="fact">
            <dt>{t('data.file')}</dt>
            <dd className="code break">{desk.log.file}</dd>
          </div>
          <div className="fact">
            <dt>{t('data.payments')}</dt>
            <dd>{t('data.payments.count', { count: desk.log.payments })}</dd>
          </div>
        </dl>
        <div className="pair">
          <Choice
            label={t('data.retention')}
            hint={t('data.retention.hint')}
            options={offered.map(one => ({ id: one, name: t('data.retention.days', { days: Number(one) }) }))}
            value={days}
            onChange={chosen => void change({ retentionDays: Number(chosen) })}
          />
        </div>
      </div>
      <div className="panel stack">
        <div className="line spread wrap">
          <div className="measure">
            <h2>{t('data.verify')}</h2>
            <p className="small muted">{t('data.verify.text')}</p>
          </div>
          <Button
            look="primary"
            icon={<ShieldCheck size={16} />}
            isPending={verifying}
            onPress={() => void verify()}
          >
            {verifying ? t('data.verifying') : t('data.verify.do')}
          </Button>
        </div>
        <output>
          {report === null ? null : report.problems.length === 0 ? (
            <p className="line all-good">
              <CircleCheck size={16} aria-hidden="true" />
              {t('data.verified', { events: report.events, payments: report.payments })}{' '}
              <Time at={report.at} />
            </p>
          ) : (
            <Note tone="warning">
              <p>{t('data.broken', { count: report.problems.length })}</p>
              <ul className="problem-list">
                {report.problems.map(one => (
                  <li key={`${one.kind} ${one.at} ${one.message}`}>
                    <code>{one.at}</code> {one.message}
                  </li>
                ))}
              </ul>
            </Note>
          )}
        </output>
        {problem ? <ErrorNote error={problem} /> : null}
        <p className="tiny quiet">{t('data.chain')}</p>
      </div>
    </section>
  );
};
