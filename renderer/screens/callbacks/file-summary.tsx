import { CircleHelp, Copy, ShieldCheck, ShieldX } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import type { FileInspection, FileRow } from '../../../shared/callbacks/file-inspection.ts';
import { InlineCode } from '../../components/display/inline-code.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { useMessage, useText, useNumber } from '../../i18n/text.ts';
import { useCallbackFile } from '../../stores/callbacks/callback-file-store.ts';
import { useAppState } from '../../stores/app-state-store.ts';

type Part = keyof FileInspection['parts'];
const parts: readonly Part[] = ['valid', 'repeated', 'invalid', 'unchecked'];
const partIcons: Readonly<Record<Part, ReactNode>> = {
  valid: <ShieldCheck size={16} aria-hidden="true" />,
  repeated: <Copy size={16} aria-hidden="true" />,
  invalid: <ShieldX size={16} aria-hidden="true" />,
  unchecked: <CircleHelp size={16} aria-hidden="true" />,
};

/** How many callbacks of a file are valid, repeated and invalid: as a bar and as numbers. */
export const FileSummary = ({ file }: { file: FileInspection }) => {
  const t = useText();
  const profiles = useAppState(state => state.appState?.profiles ?? []);
  const number = useNumber();
  const shown = parts.filter(part => file.parts[part] > 0);
  return (
    <div className="stack tight">
      <div className="file-bar" aria-hidden="true">
        {shown.map(part => (
          <span key={part} className={part} style={{ '--share': file.parts[part] } as CSSProperties} />
        ))}
      </div>
      <ul className="file-parts row gap-1-4 wrap" aria-label={t('file.signatures')}>
        {shown.map(part => (
          <li key={part} className={part}>
            {partIcons[part]}
            <strong className="figures">{number(file.parts[part])}</strong> {t(`file.part.${part}`)}
          </li>
        ))}
      </ul>
      {file.verified.map(({ profileId, count }) => (
        <p key={profileId} className="small quiet">
          {t('file.verified', { profile: profiles.find(one => one.id === profileId)?.name ?? profileId })}:{' '}
          {number(count)}
        </p>
      ))}
    </div>
  );
};

const InvalidRow = ({ row }: { row: FileRow }) => {
  const t = useText();
  const chosen = useCallbackFile(state => state.chosen?.index ?? null);
  const choose = useCallbackFile(state => state.choose);
  return (
    <li>
      <button
        type="button"
        className="invalid-row"
        aria-pressed={row.index === chosen}
        onClick={() => void choose(row.index)}
      >
        <Truncate
          className="code"
          text={`${row.orderNumber ?? t('inbox.no-order')} · ${row.amount} ${row.currency}`}
        />
        <span className="small quiet">
          {row.type || '–'}, {row.status || '–'} · {t('file.line', { line: row.line })}
        </span>
      </button>
    </li>
  );
};

/** The invalid callbacks of a file by cause, the most frequent cause first. */
export const FileCauses = ({ file }: { file: FileInspection }) => {
  const t = useText();
  const say = useMessage();
  if (file.causes.length === 0) return null;
  return (
    <section className="panel flush file-causes" aria-label={t('file.causes')}>
      <header>
        <h2>{t('file.invalid', { count: file.parts.invalid })}</h2>
      </header>
      {file.causes.map(({ sentence, count, rows }) => (
        <section key={rows[0]?.index ?? 0}>
          <h3 className="small">
            <span>
              {sentence === null ? (
                t('file.cause.unknown', { tried: file.tried })
              ) : (
                <InlineCode text={say(sentence)} />
              )}
            </span>
            <span className="figures quiet">{count}</span>
          </h3>
          <ul>
            {rows.map(row => (
              <InvalidRow key={row.index} row={row} />
            ))}
          </ul>
        </section>
      ))}
      {file.searched < file.parts.invalid ? (
        <p className="small quiet">{t('file.cause.more', { count: file.parts.invalid - file.searched })}</p>
      ) : null}
      <p className="small quiet">{t('callbacks.near-miss.text')}</p>
    </section>
  );
};
