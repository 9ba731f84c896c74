// `virtual:presets` for the tests of the playground.
import { load, logMelPresets } from 'broadloom';

export default { images: (await load()).presets, sounds: logMelPresets };
