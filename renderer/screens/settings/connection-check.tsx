import { CircleCheck, CircleMinus, CircleX, TriangleAlert } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { CheckStep } from '../../../shared/contract/index.ts';
import type { AppError } from '../../../shared/errors.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { request } from '../../ipc-client.ts';
import { isCheckPassed } from '../../guide.ts';
import { useCredentialHealth } from '../../stores/settings/credential-health.ts';
import { useGuide } from '../../stores/settings/guide.ts';
import { useMessage, useText } from '../../i18n/text.ts';

const icons: Readonly<Record<CheckStep['outcome'], ReactNode>> = {
  good: <CircleCheck size={16} aria-hidden="true" />,
  warning: <TriangleAlert size={16} aria-hidden="true" />,
  bad: <CircleX size={16} aria-hidden="true" />,
  skipped: <CircleMinus size={16} aria-hidden="true" />,
};

/** The connection check: each step with its meaning and what to do. */
export const ConnectionCheck = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const t = useText();
  const say = useMessage();
  const [steps, setSteps] = useState<readonly CheckStep[] | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  useEffect(() => {
    let current = true;
    const check = async (): Promise<void> => {
      const checked = await request('profiles.check', { id });
      if (!current) return;
      if (checked.ok) {
        setSteps(checked.value.steps);
        if (isCheckPassed(checked.value.steps)) useGuide.getState().check();
      } else setProblem(checked.error);
      void useCredentialHealth.getState().read(id);
    };
    void check();
    return () => {
      current = false;
    };
  }, [id]);
  return (
    <section className="check" aria-label={t('profile.check')} aria-live="polite">
      <div className="line spread">
        <h3>{t('check.name')}</h3>
        <Button variant="quiet" onPress={onClose}>
          {t('close')}
        </Button>
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {steps === null && problem === null ? <p className="quiet small">{t('check.running')}</p> : null}
      <ol className="check-steps">
        {steps?.map(step => (
          <li key={step.step} className={`check-step ${step.outcome}`}>
            <span className="check-mark">
              {icons[step.outcome]}
              <span className="out-of-sight">{t(`check.${step.outcome}`)}</span>
            </span>
            <div>
              <strong>{say(step.title)}</strong>
              <p className="small muted">{say(step.meaning)}</p>
              {step.todo === null ? null : (
                <p className="small">
                  <strong>{t('check.todo')}</strong> {say(step.todo)}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
};
