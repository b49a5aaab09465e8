/** Moonshine on recordings of a person with their texts: words that are wrong, and processor time against the length of the sound. `--list` prints what was heard otherwise. */
import { statSync } from "node:fs";

import { convertSpeech } from "../src/ingest/speech/convert-speech.ts";
import { findMoonshine } from "../src/ingest/speech/moonshine-files.ts";
import {
  hasRecordings,
  hasTextsOfRecordings,
  MOONSHINE,
  recordings,
  wordsOf,
  wrongWords,
} from "../test/ingest/recordings.ts";
import { percent, report } from "./measure.ts";

/** 16 bits, 8,000 a second. */
const BYTES_A_SECOND = 16_000;

function busySince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

async function measure(): Promise<void> {
  const model = findMoonshine(MOONSHINE);
  const all = recordings();
  const started = process.cpuUsage();
  const [first] = all;
  if (first !== undefined) await convertSpeech({ file: first.file, model }, () => {});
  const loading = busySince(started);
  const begun = process.cpuUsage();
  let [wrong, words, sound] = [0, 0, 0];
  for (const { name, file, words: said } of all) {
    const { markdown } = await convertSpeech({ file, model }, () => {});
    const heard = wordsOf(markdown.replaceAll(/^\[[\d:]+\] /gmu, ""));
    const mistakes = wrongWords(said, heard);
    wrong += mistakes;
    words += said.length;
    sound += statSync(file).size / BYTES_A_SECOND;
    if (mistakes > 0 && process.argv.includes("--list")) {
      console.log(`${name} (${mistakes})\n  said  ${said.join(" ")}\n  heard ${heard.join(" ")}`);
    }
  }
  const share = busySince(begun) / sound;
  const size = `${all.length} recordings, ${words} words, ${Math.round(sound)} s`;
  report(`words that are wrong (${size})`, percent(wrong / words), "< 15 %", wrong / words < 0.15);
  report("processor for a second of sound", `${share.toFixed(3)} s`, "< 0.2 s", share < 0.2);
  console.log(`        loading the model and the first recording: ${loading.toFixed(1)} s`);
}

if (hasRecordings() && hasTextsOfRecordings()) await measure();
else console.log("Not measured: npm run test:ingest installs the recordings and the model.");
