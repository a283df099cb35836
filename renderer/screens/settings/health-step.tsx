import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HealthState } from '../../../shared/contract/contract.ts';
import type { Message } from '../../../shared/messages/message.ts';
import { useMessage, useText } from '../../i18n/text.ts';

const icons: Readonly<Record<HealthState, ReactNode>> = {
  good: <CircleCheck size={16} aria-hidden="true" />,
  attention: <TriangleAlert size={16} aria-hidden="true" />,
  broken: <CircleX size={16} aria-hidden="true" />,
  unknown: <CircleHelp size={16} aria-hidden="true" />,
};
/** The marks of the connection check. */
const marks: Readonly<Record<HealthState, string>> = {
  good: 'good',
  attention: 'warning',
  broken: 'bad',
  unknown: 'skipped',
};

/** One step of a check: its state, what was found, and what to do about it. */
export const HealthStep = ({
  title,
  state,
  finding,
  todo,
}: {
  title: string;
  state: HealthState;
  finding: Message;
  todo: Message | null;
}) => {
  const t = useText();
  const say = useMessage();
  return (
    <li className={`check-step row gap-3 pad-block-2 ${marks[state]}`}>
      <span className="check-mark quiet">
        {icons[state]}
        <span className="out-of-sight">{t(`health.state.${state}`)}</span>
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
