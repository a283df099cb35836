import { useEffect, useMemo, useRef } from 'react';
import { Archive, X } from 'lucide-react';
import { GridList, GridListItem } from 'react-aria-components';
import {
  fileShowSchema,
  type FileInspection,
  type FileRow,
} from '../../../shared/callbacks/file-inspection.ts';
import { Button } from '../../components/controls/button.tsx';
import { SelectBox } from '../../components/controls/select.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Note } from '../../components/display/note.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { VerificationMark } from '../../components/display/verification-mark.tsx';
import { fileRows, useCallbackFile } from '../../stores/callbacks/callback-file.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state.ts';
import { useLocaleChoice, useMessage, useText } from '../../i18n/text.ts';
import { CallbackInspection } from './inspection.tsx';

const working = new Set<FileInspection['phase']>(['reading', 'searching', 'storing']);

/** Counts by kind, in a table of two columns. */
const Counts = ({
  name,
  rows,
}: {
  name: string;
  rows: readonly { key: string; name: string; count: number }[];
}) => {
  const { locale } = useLocaleChoice();
  const number = new Intl.NumberFormat(locale);
  if (rows.length === 0) return null;
  return (
    <table className="counts" aria-label={name}>
      <tbody>
        {rows.map(row => (
          <tr key={row.key}>
            <th scope="row">{row.name}</th>
            <td className="figures">{number.format(row.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Summary = ({ file }: { file: FileInspection }) => {
  const t = useText();
  const profiles = useAppState(state => state.appState?.profiles ?? []);
  const nameOf = (id: string): string => profiles.find(one => one.id === id)?.name ?? id;
  const rows = [
    ...file.verified.map(({ profileId, count }) => ({
      key: `verified ${profileId}`,
      name: t('file.verified', { profile: nameOf(profileId) }),
      count,
    })),
    { key: 'failed', name: t('file.failed'), count: file.failed },
    { key: 'unsigned', name: t('file.unsigned'), count: file.unsigned },
    { key: 'repeated', name: t('file.repeated'), count: file.repeated },
  ];
  return (
    <div className="file-columns">
      <div className="stack tight">
        <span className="caps">{t('file.signatures')}</span>
        <Counts name={t('file.signatures')} rows={rows.filter(row => row.count > 0)} />
      </div>
      <div className="stack tight">
        <span className="caps">{t('file.kinds')}</span>
        <Counts
          name={t('file.kinds')}
          rows={file.kinds.slice(0, 8).map(({ type, status, count }) => ({
            key: `${type} ${status}`,
            name: `${type || '–'} · ${status || '–'}`,
            count,
          }))}
        />
      </div>
    </div>
  );
};

const Causes = ({ file }: { file: FileInspection }) => {
  const t = useText();
  const say = useMessage();
  const choose = useCallbackFile(state => state.choose);
  if (file.causes.length === 0) return null;
  return (
    <section className="stack tight" aria-label={t('file.causes')}>
      <span className="caps">{t('file.causes')}</span>
      <p className="small muted">{t('file.causes.text', { searched: file.searched, failed: file.failed })}</p>
      <ul className="stack tight">
        {file.causes.map(({ sentence, count, example }) => (
          <li key={example} className="line spread">
            <span className="small">
              <strong className="figures">{count} ×</strong>{' '}
              {sentence === null ? t('file.causes.unknown') : say(sentence)}
            </span>
            <Button variant="quiet" onPress={() => void choose(example)}>
              {t('file.example')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
};

const Row = ({ row }: { row: FileRow }) => {
  const t = useText();
  return (
    <>
      <div className="line spread">
        <strong className="code">
          {row.type || '–'} · {row.status || '–'}
        </strong>
        <span className="small quiet">{t('file.line', { line: row.line })}</span>
      </div>
      <div className="line spread small">
        <Truncate className="code" text={row.orderNumber ?? t('inbox.no-order')} />
        <span className="figures">
          {row.amount} {row.currency}
        </span>
        {row.repeated ? <span className="tag">{t('file.duplicate')}</span> : null}
        <VerificationMark verification={{ verdict: row.verdict, uppercasing: null, digest: 'md5' }} />
      </div>
    </>
  );
};

const List = () => {
  const t = useText();
  const { rows, total, from, show, list, choose } = useCallbackFile();
  const items = useMemo(() => rows.map(row => ({ row, id: row.index })), [rows]);
  return (
    <section className="stack tight" aria-label={t('file.list')}>
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
            className="inbox-item"
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
  const { locale } = useLocaleChoice();
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
  const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(file.durationMs / 1000);
  const busy = working.has(phase);
  return (
    <>
      <section className="panel stack" aria-label={t('file.name')}>
        <header className="line spread wrap">
          <span className="stack tight">
            <h2 className="break">{t('file.found', { count: file.found, name })}</h2>
            {phase === 'reading' ? null : (
              <span className="line small quiet">
                {file.form === null ? null : <span className="tag">{t(`form.${file.form}`)}</span>}
                {t('file.speed', { seconds })}
              </span>
            )}
          </span>
          <span className="line">
            {phase === 'done' && file.listed > 0 && profile ? (
              <Button
                right="look-up"
                variant="primary"
                icon={<Archive size={16} />}
                onPress={() => void store(profile.id)}
              >
                {t('file.store')}
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
                  : t('file.reading', { name })
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
        {file.listed < file.found ? (
          <Note tone="warning">{t('file.unlisted', { listed: file.listed })}</Note>
        ) : null}
        {file.problems.map(text => (
          <Note key={say(text)} tone="warning">
            {say(text)}
          </Note>
        ))}
        {file.found > 0 ? <Summary file={file} /> : null}
        <Causes file={file} />
        {phase === 'reading' || file.found === 0 ? null : <List />}
      </section>
      {chosen?.inspection.callbacks[0] ? (
        <section className="stack" aria-label={t('file.one', { number: chosen.index + 1 })}>
          <h2 ref={heading} tabIndex={-1}>
            {t('file.one', { number: chosen.index + 1 })}
          </h2>
          <CallbackInspection callback={chosen.inspection.callbacks[0]} />
        </section>
      ) : null}
    </>
  );
};
