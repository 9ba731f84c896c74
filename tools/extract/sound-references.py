"""Writes tests/data/sound.json: what the definitions of the sound functions give in float64. NumPy is all that is needed, and
only here: tests read the file.

python3 tools/extract/sound-references.py

Signals are formulas, so that the tests make them again. Of each result, elements at equal distances are kept.
"""

import json
import math
import pathlib

import numpy as np

KEPT = 150  # elements of a result


def noise(count):
    state = 1
    samples = np.empty(count)
    for i in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        samples[i] = state / 2**31 - 1
    return samples.astype(np.float32).astype(np.float64)


def tones(count):
    i = np.arange(count)
    return (0.5 * np.sin(0.17 * i) + 0.2 * np.sin(1.3 * i + 1)).astype(np.float32).astype(np.float64)


def impulse(count):
    samples = np.zeros(count)
    samples[count // 3] = 1
    return samples


SIGNALS = {"noise": noise, "tones": tones, "impulse": impulse, "silence": np.zeros}


# ---- Resampling: a sinc under a Kaiser window ----


def resample(x, rate_from, rate_to):
    scale = max(1, rate_from / rate_to)
    half_width = 47 * scale
    cutoff = 0.944 / scale
    results = np.empty(math.ceil(len(x) * rate_to / rate_from))
    for k in range(len(results)):
        place = k * rate_from / rate_to
        first = math.floor(place - half_width)
        # Beyond its ends, the sound is 0; weights are those of all places.
        j = np.arange(first, math.ceil(place + half_width) + 1)
        t = j - place
        inside = 1 - (t / half_width) ** 2
        window = np.where(inside > 0, np.i0(8.2 * np.sqrt(np.maximum(inside, 0))), 0)
        weights = np.sinc(cutoff * t) * window
        weights /= weights.sum()
        there = (j >= 0) & (j < len(x))
        results[k] = (weights[there] * x[j[there]]).sum()
    return results


# ---- Spectra on the mel scale ----


def slaney_mel(frequency):
    frequency = np.asarray(frequency, dtype=float)
    return np.where(
        frequency < 1000, frequency / (200 / 3), 15 + np.log(np.maximum(frequency, 1) / 1000) / (np.log(6.4) / 27)
    )


def slaney_frequency(mel):
    return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp((mel - 15) * np.log(6.4) / 27))


def htk_mel(frequency):
    return 2595 * np.log10(1 + np.asarray(frequency, dtype=float) / 700)


def htk_frequency(mel):
    return 700 * (10 ** (mel / 2595) - 1)


def mel_filters(rate, length, bins, low, high, scale, norm):
    to_mel, to_frequency = {"slaney": (slaney_mel, slaney_frequency), "htk": (htk_mel, htk_frequency)}[scale]
    corners = to_frequency(np.linspace(to_mel(low), to_mel(high), bins + 2))
    frequencies = np.arange(length // 2 + 1) * rate / length
    filters = np.empty((bins, len(frequencies)))
    for i in range(bins):
        left, center, right = corners[i : i + 3]
        rise = (frequencies - left) / (center - left)
        fall = (right - frequencies) / (right - center)
        filters[i] = np.maximum(0, np.minimum(rise, fall))
        if norm:
            filters[i] *= 2 / (right - left)
    return filters


def power_spectra(x, length, window_length, hop, window, center, pad_mode):
    i = np.arange(window_length)
    cosine = np.cos(2 * np.pi * i / window_length)
    windows = {"hann": 0.5 - 0.5 * cosine, "hamming": 0.54 - 0.46 * cosine, "rectangular": np.ones(window_length)}
    weights = np.zeros(length)
    start = (length - window_length) // 2
    weights[start : start + window_length] = windows[window]
    if center:
        x = np.pad(x, length // 2, mode=pad_mode)
    count = 1 + (len(x) - length) // hop
    frames = np.stack([x[i * hop : i * hop + length] * weights for i in range(count)])
    return np.abs(np.fft.rfft(frames)) ** 2


def whisper(x, bins):
    power = power_spectra(x, 400, 400, 160, "hann", True, "reflect")[:-1]
    mel = mel_filters(16000, 400, bins, 0, 8000, "slaney", True) @ power.T
    logs = np.log10(np.maximum(mel, 1e-10))
    logs = np.maximum(logs, logs.max() - 8)
    return (logs + 4) / 4


def other_mel(x):
    power = power_spectra(x, 512, 320, 100, "hamming", True, "constant")
    mel = np.sqrt(power) @ mel_filters(22050, 512, 40, 100, 9000, "htk", False).T
    return np.log(mel + 0.001)


# ---- Kaldi's filter banks ----


def kaldi_fbank(x, bins=23, snip_edges=True, use_energy=False, low=20, high=0, window="povey", rate=16000, energy_floor=1):
    length = int(rate * 0.025)
    shift = int(rate * 0.01)
    padded = 1 << (length - 1).bit_length()
    if snip_edges:
        count = 0 if len(x) < length else 1 + (len(x) - length) // shift
        starts = np.arange(count) * shift
    else:
        count = (len(x) + shift // 2) // shift
        starts = np.arange(count) * shift + shift // 2 - length // 2
    numbers = starts[:, None] + np.arange(length)
    while ((numbers < 0) | (numbers >= len(x))).any():
        numbers = np.where(numbers < 0, -numbers - 1, numbers)
        numbers = np.where(numbers >= len(x), 2 * len(x) - 1 - numbers, numbers)
    frames = x[numbers]
    frames = frames - frames.mean(axis=1, keepdims=True)
    epsilon = np.finfo(np.float32).eps
    energy = np.log(np.maximum((frames**2).sum(axis=1), energy_floor))
    frames = frames - 0.97 * np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    cosine = np.cos(2 * np.pi * np.arange(length) / (length - 1))
    hann = 0.5 - 0.5 * cosine
    frames = frames * {"povey": hann**0.85, "hamming": 0.54 - 0.46 * cosine, "hanning": hann}[window]
    power = np.abs(np.fft.rfft(frames, padded)) ** 2
    high = high if high > 0 else rate / 2 + high

    def mel(frequency):
        return 1127 * np.log(1 + frequency / 700)

    corners = np.linspace(mel(low), mel(high), bins + 2)
    places = mel(np.arange(padded // 2) * rate / padded)
    filters = np.zeros((bins, padded // 2 + 1))
    for i in range(bins):
        left, center, right = corners[i : i + 3]
        rise = (places - left) / (center - left)
        fall = (right - places) / (right - center)
        filters[i, :-1] = np.maximum(0, np.minimum(rise, fall))
    logs = np.log(np.maximum(power @ filters.T, epsilon))
    return np.concatenate([energy[:, None], logs], axis=1) if use_energy else logs


# ---- The file ----


def kept(result):
    flat = np.asarray(result).reshape(-1)
    step = max(1, len(flat) // KEPT)
    return {"dims": list(np.shape(result)), "step": step, "values": [float(f"{value:.7g}") for value in flat[::step]]}


def main():
    cases = {"resample": [], "logMel": [], "fbank": []}
    for rates in [(44100, 16000), (48000, 16000), (8000, 16000), (16000, 48000), (44101, 16000), (22050.5, 8000.25)]:
        cases["resample"].append({"signal": "noise", "count": 1500, "rates": rates, **kept(resample(noise(1500), *rates))})
    for signal, make in SIGNALS.items():
        for name, bins in [("whisper", 80), ("whisper-128", 128)]:
            x = make(4000)
            cases["logMel"].append({"signal": signal, "count": 4000, "preset": name, **kept(whisper(x, bins))})
    for count in [161, 333]:
        cases["logMel"].append({"signal": "noise", "count": count, "preset": "whisper", **kept(whisper(noise(count), 80))})
    cases["logMel"].append({"signal": "noise", "count": 3000, "preset": "other", **kept(other_mel(noise(3000)))})
    for signal in ["noise", "tones", "silence"]:
        for options in [
            {},
            {"bins": 80, "snip_edges": False},
            {"bins": 40, "use_energy": True, "window": "hamming", "low": 100, "high": -400},
        ]:
            x = SIGNALS[signal](3000)
            cases["fbank"].append({"signal": signal, "count": 3000, "options": options, **kept(kaldi_fbank(x, **options))})
    path = pathlib.Path(__file__).parents[2] / "tests/data/sound.json"
    lines = {name: [json.dumps(case) for case in list_of_cases] for name, list_of_cases in cases.items()}
    sections = [f'"{name}": [\n' + ",\n".join(rows) + "\n]" for name, rows in lines.items()]
    path.write_text("{\n" + ",\n".join(sections) + "\n}\n")


if __name__ == "__main__":
    main()
