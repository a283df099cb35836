import { Note, ErrorNote } from '../../components/display/notes.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { Ban, Check, CornerUpLeft, PenLine, Undo2 } from 'lucide-react';
import { useId, useRef } from 'react';
import { useIntl } from 'react-intl';
import {
  maxSentenceChars,
  parseScript,
  allowedPlaceholders,
  type ScriptProblem,
} from '../../../shared/merchant-texts/custom-scripts.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { Button } from '../../components/controls/button.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { TextBox } from '../../components/controls/fields.tsx';
import { spokenTime } from '../../components/display/values.tsx';
import type { ScriptValues } from '../../i18n/script-text.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { isSlot, useCustomScripts, type ScriptSlot } from '../../stores/settings/custom-scripts-store.ts';
import { currentTime } from '../../i18n/time-left.ts';
import { useCustomScript } from '../payment/sentence.ts';

/** The sample values of a preview. */
const sample = (locale: string, t: Translate): ScriptValues => {
  const at = new Date(currentTime()).setHours(14, 2, 0, 0);
  return {
    amount: formatMoney('123.40', 'EUR', locale),
    order: 'CF-1001',
    time: spokenTime(at, locale, at, t),
    minutes: 12,
  };
};

/** An abbreviated example of our plural. */
const pluralExample = '{minutes, plural, one {…} other {# …}}';

const problemOf = ({ kind, found }: ScriptProblem, allowed: string, t: Translate): string => {
  const rule =
    allowed === ''
      ? t('custom-scripts.placeholders.none')
      : t('custom-scripts.placeholders', { names: allowed });
  switch (kind) {
    case 'too-long':
      return t('custom-scripts.invalid.too-long', { length: Number(found), max: maxSentenceChars });
    case 'card-number':
      return t('card-number.template');
    case 'line-break':
    case 'hidden':
    case 'no-words':
      return t(`custom-scripts.invalid.${kind}`);
    case 'plural':
      return t('custom-scripts.invalid.plural', { found, example: pluralExample });
    case 'unreadable':
    case 'unknown':
      return `${t(`custom-scripts.invalid.${kind}`, { found })} ${rule}`;
    default:
      return kind satisfies never;
  }
};

/** The phone script of one state: a field for the merchant's own, a preview, and what not to say. */
const CustomScriptRow = ({ language, state }: ScriptSlot) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const catalogued = useIntl().messages[`say.${state}`];
  const ours = typeof catalogued === 'string' ? catalogued : '';
  const customScript = useCustomScript();
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  const stored = useAppState(({ appState: app }) => app?.settings.sentences[language][state]);
  const draft = useCustomScripts(({ drafts }) => drafts[language][state]);
  const slot = { language, state };
  const isUndoable = useCustomScripts(({ removed }) => isSlot(removed, slot));
  const problem = useCustomScripts(({ problem }) => (isSlot(problem, slot) ? problem : null));
  const type = useCustomScripts(store => store.type);
  const save = useCustomScripts(store => store.save);
  const restoreDefault = useCustomScripts(store => store.restoreDefault);
  const undo = useCustomScripts(store => store.undo);

  const text = draft ?? stored ?? '';
  const trimmed = text.trim();
  const read = trimmed === '' ? null : parseScript(trimmed, state);
  const wrong = read === null || read.ok ? null : read.problem;
  const allowed = allowedPlaceholders[state].map(name => `{${name}}`).join(', ');
  const script = wrong === null ? trimmed || undefined : stored;
  const whose =
    wrong !== null
      ? 'used-until-valid'
      : draft !== undefined
        ? 'preview'
        : stored === undefined
          ? 'default'
          : 'own';
  const name = t(`state.${state}`);

  /** The pressed button may disappear; the field takes the focus. */
  const toBox = (): void => row.current?.querySelector('textarea')?.focus();
  const saveScript = async (): Promise<void> => {
    await save(slot, ours);
    if (!isSlot(useCustomScripts.getState().removed, slot)) toBox();
  };
  return (
    <li ref={row} className="custom-script tracks ruled" data-state={state}>
      <div className="stack tight">
        <TextBox
          label={name}
          labelExtra={<StatusBadge state={state} wordless />}
          lines={2}
          value={text}
          onChange={typed => type(slot, typed)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing)
              return event.continuePropagation();
            event.preventDefault();
            if (wrong === null && draft !== undefined) void saveScript();
          }}
          problem={wrong && problemOf(wrong, allowed, t)}
          hint={allowed === '' ? undefined : t('custom-scripts.placeholders', { names: allowed })}
          aria-describedby={`${id}-preview ${id}-do-not`}
          autoComplete="off"
        />
      </div>
      <div className="stack tight">
        <output className="caps">{t(`custom-scripts.${whose}`)}</output>
        <p id={`${id}-preview`} className="title-size medium break">
          {t('custom-scripts.quoted', { sentence: customScript(state, script, sample(locale, t)) })}
        </p>
        <p id={`${id}-do-not`} className="verdict-line row gap-1 small muted">
          <Ban size={14} aria-hidden="true" />
          <span>
            <strong>{t('verdict.do-not')}</strong> {t(`do-not.${state}`)}
          </span>
        </p>
        <div className="line wrap">
          {draft !== undefined && wrong === null ? (
            <Button
              variant="primary"
              icon={Check}
              aria-label={t('custom-scripts.save.of', { state: name })}
              onPress={() => void saveScript()}
            >
              {t('save')}
            </Button>
          ) : null}
          {text !== '' ? (
            <Button
              variant="quiet"
              icon={CornerUpLeft}
              aria-label={t('custom-scripts.reset.of', { state: name })}
              onPress={() => void restoreDefault(slot)}
            >
              {t('custom-scripts.reset')}
            </Button>
          ) : isUndoable ? null : (
            <Button
              variant="quiet"
              icon={PenLine}
              aria-label={t('custom-scripts.edit-default.of', { state: name })}
              onPress={() => {
                type(slot, ours);
                toBox();
              }}
            >
              {t('custom-scripts.edit-default')}
            </Button>
          )}
          {isUndoable ? (
            <Button
              icon={Undo2}
              aria-label={t('custom-scripts.undo.of', { state: name })}
              // The pressed button disappears; the undo button takes the focus.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              onPress={() => {
                void undo().then(toBox);
              }}
            >
              {t('undo')}
            </Button>
          ) : null}
        </div>
        {problem ? <ErrorNote error={problem.error} /> : null}
      </div>
    </li>
  );
};

/** The phone script of each state: ours, or the merchant's own, in the current language. */
export const CustomScripts = () => {
  const t = useText();
  const { language } = useLocaleChoice();
  return (
    <section className="stack" aria-label={t('settings.custom-scripts')}>
      <div className="stack tight">
        <p className="muted measure">{t('custom-scripts.lead')}</p>
        <p className="muted measure">{t('custom-scripts.language')}</p>
      </div>
      <Note>{t('custom-scripts.caution')}</Note>
      <ul className="panel custom-scripts">
        {statesInOrder.map(state => (
          // Keyed by language, so that two languages share no field.
          <CustomScriptRow key={`${language} ${state}`} language={language} state={state} />
        ))}
      </ul>
    </section>
  );
};
