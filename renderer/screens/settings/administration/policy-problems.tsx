import { Note } from '../../../components/display/note.tsx';
import { useMessage, useText } from '../../../i18n/text.ts';
import { useAppState } from '../../../stores/app-state-store.ts';

/** Why the policy of this computer is missing or cannot be read, and what applies meanwhile; nothing while there is no problem. */
export const PolicyProblems = () => {
  const t = useText();
  const say = useMessage();
  const policy = useAppState(({ appState }) => appState?.policy ?? null);
  if (policy === null || policy.state === 'none' || policy.state === 'applied') return null;
  return (
    <Note tone="warning">
      <p>{t(policy.state === 'missing' ? 'policy.gone' : 'policy.faulty', { file: policy.file })}</p>
      <p>{t(`policy.${policy.state}`)}</p>
      <ul className="problem-list">
        {policy.problems.map(({ path, message }) => (
          <li key={`${path} ${message.key}`}>
            {path === '' ? null : <span className="code">{path}</span>} {say(message)}
          </li>
        ))}
      </ul>
    </Note>
  );
};
