import { ImagePlus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { FileTrigger, Group } from 'react-aria-components';
import { Button } from '../../../components/controls/button.tsx';
import { useText } from '../../../i18n/text.ts';
import { fitLogo } from './fit-logo.ts';

/** The merchant's logo on papers: shown as there, on white. `logo`: a data URL; empty = none. */
export const LogoField = ({
  logo,
  onChange,
  problem,
}: {
  logo: string;
  onChange: (logo: string) => void;
  problem: string | null;
}) => {
  const t = useText();
  const id = useId();
  const [isUnusable, setUnusable] = useState(false);
  const take = async (files: FileList | null): Promise<void> => {
    const file = files?.[0];
    if (!file) return;
    const fitted = await fitLogo(file);
    setUnusable(fitted === null);
    if (fitted !== null) onChange(fitted);
  };
  const problemText = isUnusable ? t('profile.merchant.logo.problem') : problem;
  return (
    <Group className="field at-start" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <span className="field-label" id={`${id}-label`}>
        {t('profile.merchant.logo')}
      </span>
      {logo === '' ? null : (
        <img className="logo-preview" src={logo} alt={t('profile.merchant.logo.shown')} />
      )}
      <div className="line wrap">
        <FileTrigger acceptedFileTypes={['image/png', 'image/jpeg']} onSelect={files => void take(files)}>
          <Button icon={<ImagePlus size={16} />}>
            {t(logo === '' ? 'profile.merchant.logo.choose' : 'profile.merchant.logo.replace')}
          </Button>
        </FileTrigger>
        {logo === '' ? null : (
          <Button
            variant="quiet"
            icon={<Trash2 size={16} />}
            onPress={() => {
              setUnusable(false);
              onChange('');
            }}
          >
            {t('profile.merchant.logo.remove')}
          </Button>
        )}
      </div>
      <p className="small quiet" id={`${id}-hint`}>
        {t('profile.merchant.logo.hint')}
      </p>
      {problemText === null ? null : (
        <p className="problem" role="alert">
          {problemText}
        </p>
      )}
    </Group>
  );
};
