import { useEffect, useMemo, useRef, type CSSProperties, type ReactNode } from 'react';
import { Archive, X, CircleHelp, Copy, ShieldCheck, ShieldX } from 'lucide-react';
import { GridList, GridListItem } from 'react-aria-components';
import {
  fileShowSchema,
  type FileInspection,
  type FileRow,
} from '../../../shared/callbacks/file-inspection.ts';
import { Button } from '../../components/controls/button.tsx';
import { SelectBox } from '../../components/controls/fields.tsx';
import { Truncate } from '../../components/display/values.tsx';
import { ErrorNote, Note } from '../../components/display/notes.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { VerificationMark } from '../../components/display/marks.tsx';
import { fileRows, useCallbackFile } from '../../stores/callbacks/inspector-store.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { useMessage, useNumber, useText } from '../../i18n/text.ts';
import { CallbackInspection } from './inspection-result.tsx';
import { InlineCode } from '../../components/display/inline-code.tsx';

type Part = keyof FileInspection['parts'];
const parts: readonly Part[] = ['valid', 'repeated', 'invalid', 'unchecked'];
const partIcons: Readonly<Record<Part, ReactNode>> = {
  valid: <ShieldCheck size={16} aria-hidden="true" />,
  repeated: <Copy size={16} aria-hidden="true" />,
  invalid: <ShieldX size={16} aria-hidden="true" />,
  unchecked: <CircleHelp size={16} aria-hidden="true" />,
};

/** How many callbacks of a file are valid, repeated and invalid: as a bar and as numbers. */
const FileSummary = ({ file }: { file: FileInspection }) => {
  const t = useText();
  const profiles = useAppState(state => state.appState?.profiles ?? []);
  const number = useNumber();
  const shown = parts.filter(part => file.parts[part] > 0);
  return (
    <div className="stack tight">
      <div className="file-bar row cut" aria-hidden="true">
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
        className="invalid-row row full no-border no-ground small text-start pointer"
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
const FileCauses = ({ file }: { file: FileInspection }) => {
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

const working = new Set<FileInspection['phase']>(['reading', 'searching', 'storing']);

const Row = ({ row }: { row: FileRow }) => {
  const t = useText();
  return (
    <>
      <div className="line spread">
        <strong className="code">
          {row.type || '–'} · {row.status || '–'}
        </strong>
        <span className="figures">
          {row.amount} {row.currency}
        </span>
      </div>
      <div className="line spread wrap small">
        <span className="line">
          <Truncate className="code" text={row.orderNumber ?? t('inbox.no-order')} />
          <span className="quiet">{t('file.line', { line: row.line })}</span>
          {row.repeated ? <span className="tag">{t('file.duplicate')}</span> : null}
        </span>
        <VerificationMark
          verification={{ verdict: row.verdict, uppercasing: null, digest: 'md5' }}
          doubt={row.doubt}
        />
      </div>
    </>
  );
};

const List = () => {
  const t = useText();
  const { rows, total, from, show, list, choose } = useCallbackFile();
  const items = useMemo(() => rows.map(row => ({ row, id: row.index })), [rows]);
  return (
    <section className="panel stack tight" aria-label={t('file.list')}>
      <div className="line spread wrap">
        <SelectBox
          label={t('file.show')}
          options={fileShowSchema.options.map(id => ({ id, name: t(`file.show.${id}`) }))}
          value={show}
          onChange={next => void list(next, 0)}
        />
        <span className="line">
          <Button isDisabled={from === 0} onPress={() => void list(show, Math.max(0, from - fileRows))}>
            {t('callbacks.previous')}
          </Button>
          <span className="small figures">
            {t('file.range', { from: Math.min(from + 1, total), to: from + rows.length, total })}
          </span>
          <Button isDisabled={from + fileRows >= total} onPress={() => void list(show, from + fileRows)}>
            {t('callbacks.next')}
          </Button>
        </span>
      </div>
      <GridList
        className="inbox whole"
        aria-label={t('file.list')}
        items={items}
        onAction={key => void choose(Number(key))}
      >
        {({ row }) => (
          <GridListItem
            className="inbox-item hovers focus-inside stack line-below small no-outline"
            id={row.index}
            textValue={`${row.type} ${row.status} ${row.orderNumber ?? ''}`}
          >
            <Row row={row} />
          </GridListItem>
        )}
      </GridList>
    </section>
  );
};

/** A long file: its progress, its content, why signatures fail, and each callback one by one. */
export const FilePanel = () => {
  const t = useText();
  const say = useMessage();
  const number = useNumber({ maximumFractionDigits: 1 });
  const { file, problem, chosen, close, store } = useCallbackFile();
  const profile = useActiveProfile();
  const heading = useRef<HTMLHeadingElement>(null);
  // The selected callback is below the list: it is scrolled into view and takes the focus.
  useEffect(() => {
    if (chosen === null) return;
    heading.current?.scrollIntoView({ block: 'start' });
    heading.current?.focus({ preventScroll: true });
  }, [chosen]);
  if (file === null) return problem ? <ErrorNote error={problem} /> : null;
  const { phase, name, done, total } = file;
  const seconds = number(file.durationMs / 1000);
  const busy = working.has(phase);
  return (
    <>
      <section className="panel stack" aria-label={t('file.name')}>
        <header className="line spread wrap">
          <span className="stack tight">
            <h2 className="break">
              {name === ''
                ? t('file.found.pasted', { count: file.found })
                : t('file.found', { count: file.found, name })}
            </h2>
            {phase === 'reading' ? null : (
              <span className="line small quiet">
                {file.form === null ? null : <span className="tag">{t(`form.${file.form}`)}</span>}
                {t('file.speed', { seconds })}
              </span>
            )}
          </span>
          <span className="line wrap">
            {phase === 'done' && file.found > 0 && profile ? (
              <Button
                request="callbacks.storeFile"
                variant="primary"
                icon={Archive}
                onPress={() => void store(profile.id)}
              >
                {t('file.store', { count: file.found })}
              </Button>
            ) : null}
            <Button icon={<X size={16} />} onPress={() => void close()}>
              {t(busy ? 'cancel' : 'file.close')}
            </Button>
          </span>
        </header>
        {busy ? (
          <Progress
            name={
              phase === 'storing'
                ? t('file.storing')
                : phase === 'searching'
                  ? t('file.searching')
                  : t('file.reading', { name: name || t('callbacks.paste') })
            }
            done={done}
            total={total}
          />
        ) : null}
        {phase === 'stored' ? (
          <output>
            <Note>{t('callbacks.stored', { stored: file.stored, duplicates: file.duplicates })}</Note>
          </output>
        ) : null}
        {file.problem ? <ErrorNote error={file.problem} /> : null}
        {problem ? <ErrorNote error={problem} /> : null}
        {file.problems.map(text => (
          <Note key={say(text)} tone="warning">
            {say(text)}
          </Note>
        ))}
        {file.found > 0 ? <FileSummary file={file} /> : null}
      </section>
      <div className={file.causes.length > 0 ? 'file-columns tracks gap-4 at-start' : 'stack'}>
        <FileCauses file={file} />
        <div className="stack">
          {chosen?.inspection.callbacks[0] ? (
            <section className="stack" aria-label={t('file.one', { number: chosen.index + 1 })}>
              <h2 ref={heading} tabIndex={-1}>
                {t('file.one', { number: chosen.index + 1 })}
              </h2>
              <CallbackInspection callback={chosen.inspection.callbacks[0]} />
            </section>
          ) : null}
          {phase === 'reading' || file.found === 0 ? null : <List />}
        </div>
      </div>
    </>
  );
};
