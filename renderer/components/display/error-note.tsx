import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { request } from '../../ipc-client.ts';
import { Button } from '../controls/button.tsx';
import { Copyable } from '../controls/copyable.tsx';
import { useMessage, useText } from '../../i18n/text.ts';

/** The error and the next step: the catalogue's message for its code, main's message as the detail. */
export const ErrorNote = ({ error, children }: { error: AppError; children?: ReactNode }) => {
  const t = useText();
  const say = useMessage();
  const fields = error.fields ?? [];
  const reference = error.details?.['reference'];
  const title = t(`error.${error.code}`);
  const hint = t(`hint.${error.code}`);
  // Main's message is often more specific; parts that the catalogue contains are not repeated.
  const details = [error.message, ...(error.hint ? [error.hint] : [])]
    .map(say)
    .filter(text => text !== title && text !== hint);
  return (
    <div className="note error" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="stack tight">
        <p className="note-title">{title}</p>
        <p className="small muted">{hint}</p>
        {fields.length > 0 ? (
          <ul className="small problem-list">
            {fields.map(field => (
              <li key={`${field.path} ${field.message.key}`}>
                <code>{field.path}</code> {say(field.message)}
              </li>
            ))}
          </ul>
        ) : null}
        {[...details, null].map(text => (
          <p key={text} className="tiny quiet">
            {text ?? <code>{error.code}</code>}
          </p>
        ))}
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
