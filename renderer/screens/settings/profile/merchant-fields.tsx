import { timeZoneOf } from '../../../../shared/settings/merchant.ts';
import type { ProfileDraft } from '../../../../shared/settings/profile.ts';
import { TextBox } from '../../../components/controls/fields.tsx';
import { useText } from '../../../i18n/text.ts';
import { ImagePlus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { FileTrigger, Group } from 'react-aria-components';
import { Button } from '../../../components/controls/button.tsx';
import { isMerchantLogo, maxLogoSize } from '../../../../shared/settings/merchant-logo.ts';

/** Tried in turn until the picture is small enough: a drawing is small as PNG, a photograph as JPEG. */
const attempts = [
  { scale: 1, type: 'image/png' },
  { scale: 0.5, type: 'image/png' },
  { scale: 1, type: 'image/jpeg' },
  { scale: 0.5, type: 'image/jpeg' },
] as const;

/** JPEG has no transparency: what is under the picture is the paper. */
const paper = '#fff';

/** A chosen picture as a logo, scaled down to its limits and without the file's other data; null if it is not a picture. */
const fitLogo = async (file: Blob): Promise<string | null> => {
  if (file.type !== 'image/png' && file.type !== 'image/jpeg') return null;
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return null;
  }
  try {
    const fit = Math.min(1, maxLogoSize.width / picture.width, maxLogoSize.height / picture.height);
    for (const { scale, type } of attempts) {
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.floor(picture.width * fit * scale));
      canvas.height = Math.max(1, Math.floor(picture.height * fit * scale));
      const drawing = canvas.getContext('2d');
      if (drawing === null) return null;
      if (type === 'image/jpeg') {
        drawing.fillStyle = paper;
        drawing.fillRect(0, 0, canvas.width, canvas.height);
      }
      drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const url = canvas.toDataURL(type, 0.85);
      if (isMerchantLogo(url)) return url;
    }
    return null;
  } finally {
    picture.close();
  }
};

/** The merchant's logo on papers: shown as there, on white. `logo`: a data URL; empty = none. */
const LogoField = ({
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
        <img className="logo-preview lined rounded-s" src={logo} alt={t('profile.merchant.logo.shown')} />
      )}
      <div className="line wrap">
        <FileTrigger acceptedFileTypes={['image/png', 'image/jpeg']} onSelect={files => void take(files)}>
          <Button icon={ImagePlus}>
            {t(logo === '' ? 'profile.merchant.logo.choose' : 'profile.merchant.logo.replace')}
          </Button>
        </FileTrigger>
        {logo === '' ? null : (
          <Button
            variant="quiet"
            icon={Trash2}
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

/** What customers, accountants and banks read about the merchant, and the time zone of the books. */
export const MerchantFields = ({
  draft,
  onChange,
  fieldProblem,
}: {
  draft: ProfileDraft;
  onChange: (change: Partial<ProfileDraft>) => void;
  fieldProblem: (path: string) => string | null;
}) => {
  const t = useText();
  const { merchant } = draft;
  const text = (name: 'name' | 'phone') => ({
    name: `merchant.${name}`,
    value: merchant[name],
    onChange: (value: string) => onChange({ merchant: { ...merchant, [name]: value } }),
    problem: fieldProblem(`merchant.${name}`),
    autoComplete: 'off',
  });
  return (
    <>
      <p className="small quiet">{t('profile.group.merchant.text')}</p>
      <div className="pair">
        <TextBox {...text('name')} label={t('profile.merchant.name')} placeholder={draft.name} />
        <TextBox {...text('phone')} label={t('profile.merchant.phone')} type="tel" />
        <TextBox
          name="merchant.address"
          label={t('profile.merchant.address')}
          lines={3}
          value={merchant.address.join('\n')}
          onChange={address => onChange({ merchant: { ...merchant, address: address.split('\n') } })}
          problem={fieldProblem('merchant.address')}
          autoComplete="off"
        />
        <TextBox
          name="timeZone"
          label={t('profile.merchant.zone')}
          hint={t('profile.merchant.zone.hint')}
          value={draft.timeZone}
          onChange={timeZone => onChange({ timeZone })}
          problem={fieldProblem('timeZone')}
          placeholder={timeZoneOf(null)}
          autoComplete="off"
        />
        <LogoField
          logo={merchant.logo}
          onChange={logo => onChange({ merchant: { ...merchant, logo } })}
          problem={fieldProblem('merchant.logo')}
        />
      </div>
    </>
  );
};
