/** An invented hotel's logo: a circle and two lines, 240 by 60 pixels, without transparency. */
export const smallLogo = `data:image/png;base64,${[
  'iVBORw0KGgoAAAANSUhEUgAAAPAAAAA8CAIAAADXHaAKAAABQElEQVR42u3dWxHCQBBFwdWALBQhAhFowtDgIASyj9mpPnUF',
  'pLL9RYWkhVSo5hYIaAloaRfQt/vz/Nx0JQX9k2OylRf0RcpYKwvojpSx1mLQgzQzrQWgh2pmWvNAT6CMtSaBnqyZaQ0EvUQz',
  '0wJa+gZ6oWam1Rn0cs1XTCe5eJuPpOUHAbQB7ZiBTqwBaAPagE5MAWgD2oAG2sqA3ui6gTagDWigDWigDWigDWjp4Gk7oAU0',
  '0AIaaAHttAS0gAZaQAMtoIEW0Cd6vN52fduDjirPQ7MINNAGNNBAJwcdJf71zSLQQFtR0LH/m5NYBLoUaPkdOqlpJ6Q+oMP7',
  'oVUMdHiDv4AGWnlBh69gqRjo8J1CFQM9jbXz0DzQ4VvfKgZ6nGknoTWgu7N2BloPugtrd1+5QP8n201XdtAS0BLQ0mEf6pjj',
  'uoS3v14AAAAASUVORK5CYII=',
].join('')}`;
