import type { Language } from '../../../shared/messages/message.ts';

/** A message as the customer gets it: line breaks stay, and `marked` is highlighted. */
export const MessageText = ({
  text,
  subject,
  language,
  marked = [],
}: {
  text: string;
  /** Only of an e-mail. */
  subject: string | null;
  language: Language;
  marked?: readonly string[];
}) => {
  const wanted = marked.filter(part => part.trim() !== '');
  const escaped = wanted.map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const parts = escaped.length === 0 ? [text] : text.split(new RegExp(`(${escaped.join('|')})`));
  return (
    <div className="message-text edged rounded on-sunken muted small" lang={language}>
      {subject === null ? null : <p className="message-subject line-below ink medium break">{subject}</p>}
      <p className="message-body anywhere">
        {parts.map((part, at) =>
          // The parts keep their order.
          // oxlint-disable-next-line react/no-array-index-key
          wanted.includes(part) ? <b key={at}>{part}</b> : part,
        )}
      </p>
    </div>
  );
};
