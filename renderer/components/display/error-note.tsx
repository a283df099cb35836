import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { request } from '../../ipc-client.ts';
import { Button } from '../controls/button.tsx';
import { Copyable } from '../controls/copyable.tsx';
import { useMessage, useText } from '../../i18n/text.ts';

/**
 * One sentence and one next step for the person who met the error: the catalogue's message for its code. What only IT
 * can use (main's message, the gateway's fields, the code) is folded away after an error of the gateway.
 */
export const ErrorNote = ({ error, children }: { error: AppError; children?: ReactNode }) => {
  const t = useText();
  const say = useMessage();
  const fields = error.fields ?? [];
  const reference = error.details?.['reference'];
  const isGateway = error.code.startsWith('gateway.');
  // A refusal's reason is the provider's own, and the person can act on it.
  const title = error.code === 'gateway.refused' ? say(error.message) : t(`error.${error.code}`);
  const hint = t(`hint.${error.code}`);
  const named = error.code === 'gateway.signature-refused' ? [] : fields;
  // Main's message is often more specific; parts that the catalogue contains are not repeated.
  const details = [error.message, ...(error.hint ? [error.hint] : [])]
    .map(say)
    .filter(text => text !== title && text !== hint);
  const technical = [...details, null].map(text => (
    <p key={text} className="tiny quiet">
      {text ?? <code>{error.code}</code>}
    </p>
  ));
  return (
    <div className="note error" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="stack tight">
        <p className="bold">{title}</p>
        <p className="small muted">{hint}</p>
        {named.length > 0 ? (
          <ul className="small problem-list">
            {named.map(field => (
              <li key={`${field.path} ${field.message.key}`}>
                {isGateway ? null : <code>{field.path}</code>} {say(field.message)}
              </li>
            ))}
          </ul>
        ) : null}
        {isGateway ? (
          <details className="note-details">
            <summary className="tiny">{t('error.for-it')}</summary>
            {fields.map(field => (
              <p key={`${field.path} ${field.message.key}`} className="tiny quiet">
                <code>{field.path}</code> {say(field.message)}
              </p>
            ))}
            {technical}
          </details>
        ) : (
          technical
        )}
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
