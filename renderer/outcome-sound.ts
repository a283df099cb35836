/** Two short tones: rising for a paid payment, falling for a declined one. Nothing is loaded for it. */
export const playOutcome = (isPaid: boolean): void => {
  const context = new AudioContext();
  const tones = isPaid ? [660, 880] : [440, 330];
  const lengthS = 0.16;
  for (const [index, frequency] of tones.entries()) {
    const from = context.currentTime + index * lengthS;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + lengthS);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + lengthS);
    if (index === tones.length - 1) tone.addEventListener('ended', () => void context.close());
  }
};
