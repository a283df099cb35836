import { CircleCheck, CircleHelp, CircleMinus, CircleX, TriangleAlert } from 'lucide-react';
import type { CheckStep, HealthState } from '../../../shared/contract/contract.ts';
import type { Message } from '../../../shared/messages/message.ts';
import { useMessage, useText } from '../../i18n/text.ts';

type Mark = CheckStep['outcome'];

const icons = { good: CircleCheck, warning: TriangleAlert, bad: CircleX, skipped: CircleMinus };
const marks: Readonly<Record<HealthState, Mark>> = {
  good: 'good',
  attention: 'warning',
  broken: 'bad',
  unknown: 'skipped',
};

/** One step of a check: its mark and what that means, what was found, and what to do about it. */
const Step = ({
  mark,
  icon: Icon = icons[mark],
  state,
  title,
  finding,
  todo,
}: {
  mark: Mark;
  icon?: typeof CircleHelp;
  state: string;
  title: string;
  finding: Message;
  todo: Message | null;
}) => {
  const t = useText();
  const say = useMessage();
  return (
    <li className={`check-step row gap-3 pad-block-2 ${mark}`}>
      <span className="check-mark quiet">
        <Icon size={16} aria-hidden="true" />
        <span className="out-of-sight">{state}</span>
      </span>
      <div>
        <strong>{title}</strong>
        <p className="small muted break">{say(finding)}</p>
        {todo === null ? null : (
          <p className="small">
            <strong>{t('check.todo')}</strong> {say(todo)}
          </p>
        )}
      </div>
    </li>
  );
};

/** The state of a part of the installation, or of a server. */
export const HealthStep = ({
  state,
  ...found
}: {
  title: string;
  state: HealthState;
  finding: Message;
  todo: Message | null;
}) => (
  <Step
    {...found}
    mark={marks[state]}
    state={useText()(`health.state.${state}`)}
    {...(state === 'unknown' ? { icon: CircleHelp } : {})}
  />
);

/** The steps of a check that ends at the first one that fails. */
export const CheckSteps = ({ steps }: { steps: readonly (Omit<CheckStep, 'step'> & { step: string })[] }) => {
  const t = useText();
  const say = useMessage();
  return (
    <ol>
      {steps.map(({ step, outcome, title, meaning, todo }) => (
        <Step
          key={step}
          mark={outcome}
          state={t(`check.${outcome}`)}
          title={say(title)}
          finding={meaning}
          todo={todo}
        />
      ))}
    </ol>
  );
};
