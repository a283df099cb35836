import { CornerUpLeft, PenLine, Check } from 'lucide-react';
import { useId, useState } from 'react';
import { languages, type Language } from '../../../shared/messages/message.ts';
import {
  composeMessage,
  defaultMessage,
  messageValues,
} from '../../../shared/merchant-texts/compose-message.ts';
import { merchantNameOf, timeZoneOf } from '../../../shared/settings/merchant.ts';
import {
  maxMessageChars,
  messagePlaceholders,
  messageSlots,
  parseMessage,
  type MessageProblem,
  type MessageSlot,
  type MessageTemplates,
} from '../../../shared/merchant-texts/message-templates.ts';
import { Button } from '../../components/controls/button.tsx';
import { TextBox } from '../../components/controls/fields.tsx';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { ErrorNote } from '../../components/display/notes.tsx';
import { currentTime } from '../../i18n/time-left.ts';
import { useTask } from '../../forms/form.tsx';
import { useText, useLocaleChoice, type Translate } from '../../i18n/text.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { MessageText } from './message-text.tsx';
import { useFormatIn } from './use-message.ts';
import { ifUnchanged } from '../../if-unchanged.ts';
import { useKept } from '../../stores/settings/kept-form.ts';

const placeholders = messagePlaceholders.map(name => `{${name}}`).join(', ');

const problemOf = ({ kind, found }: MessageProblem, t: Translate): string => {
  switch (kind) {
    case 'too-long':
      return t('custom-scripts.invalid.too-long', { length: Number(found), max: maxMessageChars });
    case 'card-number':
      return t('card-number.template');
    case 'no-link':
    case 'link-in-subject':
      return t(`messages.invalid.${kind}`);
    case 'line-break':
    case 'hidden':
    case 'no-words':
      return t(`custom-scripts.invalid.${kind}`);
    case 'unknown':
      return `${t('custom-scripts.invalid.unknown', { found })} ${t('custom-scripts.placeholders', { names: placeholders })}`;
    case 'unreadable':
    case 'plural':
      return `${t('custom-scripts.invalid.unreadable', { found })} ${t('custom-scripts.placeholders', { names: placeholders })}`;
    default:
      return kind satisfies never;
  }
};

/** The deadline of a sample. */
const sampleTime = new Date(currentTime()).setHours(15, 0, 0, 0);

/** The templates with one text changed, or removed. */
const changed = (
  templates: MessageTemplates,
  language: Language,
  slot: MessageSlot,
  text: string | null,
): MessageTemplates => {
  const { [slot]: _, ...rest } = templates[language];
  return { ...templates, [language]: text === null ? rest : { ...rest, [slot]: text } };
};

const MessageRow = ({
  slot,
  language,
  templates,
}: {
  slot: MessageSlot;
  language: Language;
  templates: MessageTemplates;
}) => {
  const t = useText();
  const id = useId();
  const format = useFormatIn(language);
  const profile = useActiveProfile();
  const change = useAppState(state => state.change);
  const stored = templates[language][slot];
  const [draft, setDraft] = useKept<string | null>(`message ${language} ${slot}`, null);
  const { problem, send } = useTask();
  if (format === null) return null;
  const ours = defaultMessage(slot, format);
  const text = draft ?? stored ?? ours;
  const read = parseMessage(text.trim(), slot);
  const wrong = read.ok ? null : read.problem;
  const isChanged = draft !== null && draft.trim() !== (stored ?? ours);
  const name = t(`messages.slot.${slot}`);
  const save = (next: string | null): Promise<void> =>
    send(
      () => change({ messages: changed(templates, language, slot, next) }),
      () => setDraft(ifUnchanged(draft, null)),
    );
  const values = messageValues(
    {
      amount: '80.00',
      currency: profile?.defaultCurrency ?? 'EUR',
      description: t('messages.sample.description'),
      orderNumber: 'CF-1001',
      customer: { name: t('messages.sample.customer') },
      customerFrom: 'request',
      raisedHere: true,
      link: 'https://pay.example/s/7Kq2mX',
      expiresAt: sampleTime,
      merchant: { name: profile ? merchantNameOf(profile) : '', phone: profile?.merchant.phone ?? '' },
      timeZone: timeZoneOf(profile),
    },
    format,
  );
  const shown: MessageTemplates =
    wrong === null ? changed(templates, language, slot, text.trim()) : templates;
  return (
    <li className="message-row tracks to-top ruled">
      <TextBox
        label={name}
        lines={slot === 'subject' ? 2 : slot === 'email' ? 12 : 6}
        value={text}
        onChange={typed => setDraft(() => typed)}
        problem={wrong && problemOf(wrong, t)}
        aria-describedby={`${id}-preview`}
        autoComplete="off"
      />
      <div className="stack tight">
        <span className="caps">
          {t(
            stored === undefined && !isChanged
              ? 'custom-scripts.default'
              : isChanged
                ? 'custom-scripts.preview'
                : 'custom-scripts.own',
          )}
        </span>
        <div id={`${id}-preview`}>
          <MessageText
            text={composeMessage(slot, language, shown, values, format)}
            subject={null}
            language={language}
          />
        </div>
        <div className="line wrap">
          {isChanged && wrong === null ? (
            <Button
              variant="primary"
              icon={Check}
              aria-label={t('custom-scripts.save.of', { state: name })}
              onPress={() => void save(draft.trim() === ours ? null : draft.trim())}
            >
              {t('save')}
            </Button>
          ) : null}
          {isChanged ? (
            <Button variant="quiet" icon={PenLine} onPress={() => setDraft(() => null)}>
              {t('messages.discard')}
            </Button>
          ) : null}
          {stored === undefined ? null : (
            <Button
              variant="quiet"
              icon={CornerUpLeft}
              aria-label={t('custom-scripts.reset.of', { state: name })}
              onPress={() => void save(null)}
            >
              {t('custom-scripts.reset')}
            </Button>
          )}
        </div>
        {problem ? <ErrorNote error={problem} /> : null}
      </div>
    </li>
  );
};

/** The messages to customers by channel and language: ours, or the merchant's own. */
export const MessageSettings = () => {
  const t = useText();
  const { language: own } = useLocaleChoice();
  const [language, setLanguage] = useState<Language>(own);
  const templates = useAppState(({ appState }) => appState?.settings.messages ?? null);
  if (templates === null) return null;
  return (
    <section className="stack" aria-label={t('settings.messages')}>
      <p className="muted measure">{t('messages.lead')}</p>
      <div className="line wrap spread">
        <SegmentedControl
          label={t('new.language')}
          value={language}
          onChange={setLanguage}
          options={languages.map(id => ({ id, name: t(`language.${id}`) }))}
        />
        <span className="small quiet">{t('custom-scripts.placeholders', { names: placeholders })}</span>
      </div>
      <ul className="panel">
        {messageSlots.map(slot => (
          // Keyed by language, so that two languages share no draft.
          <MessageRow key={`${language} ${slot}`} slot={slot} language={language} templates={templates} />
        ))}
      </ul>
    </section>
  );
};
