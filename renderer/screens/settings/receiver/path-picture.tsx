import { useText } from '../../../i18n/text.ts';

type Station = { id: 'provider' | 'server' | 'computer'; x: number };
const stations: readonly Station[] = [
  { id: 'provider', x: 2 },
  { id: 'server', x: 270 },
  { id: 'computer', x: 538 },
];
const width = 190;

/** The way of a callback from the provider to this computer; `server`: the web server's name. */
export const PathPicture = ({ server, hostName }: { server: string; hostName: string }) => {
  const t = useText();
  const details: Readonly<Record<Station['id'], string>> = {
    provider: 'POST',
    server: `${server} · ${hostName}`,
    computer: 'Counterfoil',
  };
  return (
    <figure className="path-picture">
      <figcaption className="out-of-sight">{t('path.alt')}</figcaption>
      <svg viewBox="0 0 730 96" aria-hidden="true">
        <defs>
          <marker
            id="path-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {stations.map(({ id, x }) => (
          <g key={id}>
            <rect x={x} y="20" width={width} height="56" rx="8" />
            <text x={x + width / 2} y="44" className="path-name">
              {t(`path.${id}`)}
            </text>
            <text x={x + width / 2} y="63">
              {details[id].length > 24 ? `${details[id].slice(0, 23)}…` : details[id]}
            </text>
          </g>
        ))}
        <line x1="194" y1="48" x2="266" y2="48" markerEnd="url(#path-arrow)" />
        <text x="230" y="40">
          https
        </text>
        <line x1="462" y1="48" x2="534" y2="48" className="tunnel" markerEnd="url(#path-arrow)" />
        <text x="498" y="40">
          {t('path.tunnel')}
        </text>
      </svg>
    </figure>
  );
};
