import { useEffect } from 'react';
import { FileUp, Webhook } from 'lucide-react';
import { DropZone, isFileDropItem, Text } from 'react-aria-components';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Empty } from '../../components/display/note.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { isTyping } from '../../shortcuts.ts';
import { useCallbackFile } from '../../stores/callbacks/callback-file.ts';
import { useInspector } from '../../stores/callbacks/inspector.ts';
import { useText } from '../../i18n/text.ts';
import { FilePanel } from './file-panel.tsx';
import { Inbox } from './inbox.tsx';
import { TextInspection } from './inspection.tsx';
import { PasteBox } from './paste-box.tsx';

/** Paste, drop or open a callback in any form; next to it, the callbacks that the receiver stored. */
export const CallbacksScreen = () => {
  const t = useText();
  const { inspection, problem, inspecting, fileName } = useInspector();
  const { file } = useCallbackFile();
  useEffect(() => {
    // A paste anywhere on this screen goes to the inspector.
    const onPaste = (event: ClipboardEvent): void => {
      if (isTyping(event.target)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text === '') return;
      event.preventDefault();
      useInspector.getState().take(text, 'paste');
    };
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, []);
  return (
    <Screen
      title={t('nav.callbacks')}
      label={t('nav.callbacks')}
      lead={t('callbacks.lead')}
      className="callbacks"
      actions={
        <Button icon={<FileUp size={16} />} onPress={() => void useCallbackFile.getState().open()}>
          {t('callbacks.open-file')}
        </Button>
      }
    >
      <div className={file ? 'stack' : 'callback-columns'}>
        <div className="stack">
          <DropZone
            className="drop panel"
            onDrop={event => {
              const item = event.items.find(isFileDropItem);
              if (item) void item.getFile().then(useCallbackFile.getState().drop);
            }}
          >
            <Text slot="label" className="out-of-sight">
              {t('callbacks.drop')}
            </Text>
            <PasteBox />
            <p className="hint">
              {fileName === null ? t('callbacks.forms') : t('callbacks.file', { name: fileName })}
            </p>
          </DropZone>
          <FilePanel />
          {problem ? <ErrorNote error={problem} /> : null}
          {inspection ? (
            <TextInspection inspection={inspection} />
          ) : inspecting ? (
            <output className="quiet">{t('loading')}</output>
          ) : problem || file ? null : (
            <Empty
              icon={<Webhook size={28} />}
              title={t('callbacks.empty')}
              action={
                <span className="line wrap">
                  <Button onPress={() => void useInspector.getState().trySample(true)}>
                    {t('callbacks.example.valid')}
                  </Button>
                  <Button onPress={() => void useInspector.getState().trySample(false)}>
                    {t('callbacks.example.invalid')}
                  </Button>
                </span>
              }
            >
              {t('callbacks.empty.text')}
            </Empty>
          )}
        </div>
        {file ? null : <Inbox />}
      </div>
    </Screen>
  );
};
