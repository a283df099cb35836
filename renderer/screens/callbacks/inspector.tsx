import { Webhook } from 'lucide-react';
import { DropZone, isFileDropItem, Text } from 'react-aria-components';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Empty } from '../../components/display/note.tsx';
import { useText } from '../../i18n/text.ts';
import { useCallbackFile } from '../../stores/callbacks/callback-file-store.ts';
import { useInspector } from '../../stores/callbacks/inspector-store.ts';
import { FilePanel } from './file-panel.tsx';
import { TextInspection } from './inspection-result.tsx';
import { PasteBox } from './paste-box.tsx';

/** Paste, drop or open one callback or many, in any form; below, what they mean. */
export const Inspector = () => {
  const t = useText();
  const { inspection, problem, inspecting, fileName } = useInspector();
  const { file } = useCallbackFile();
  return (
    <>
      <DropZone
        className="drop stack gap-1 panel"
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
    </>
  );
};
