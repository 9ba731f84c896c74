"""Draws photograph.jpg: a sign on a wall, as a camera would see it. Needs Pillow, and the fonts DejaVu and WenQuanYi Zen Hei."""

import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

random.seed(30)
FONTS = Path("/usr/share/fonts/truetype")
WIDTH, HEIGHT = 640, 480


def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / name), size)


def wall() -> Image.Image:
    """Bricks in two shades, brighter at the upper left."""
    image = Image.new("RGB", (WIDTH, HEIGHT), (150, 142, 130))
    draw = ImageDraw.Draw(image)
    for row in range(0, HEIGHT, 24):
        for column in range(-60, WIDTH, 60):
            left = column + (row // 24 % 2) * 30
            shade = random.randint(-12, 12)
            draw.rectangle((left + 1, row + 1, left + 58, row + 22), fill=(172 + shade, 108 + shade, 88 + shade))
    return image.filter(ImageFilter.GaussianBlur(1.2))


def sign() -> Image.Image:
    """The sign with its lines, larger than it will be."""
    image = Image.new("RGBA", (900, 560), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((8, 8, 892, 552), 28, fill=(244, 238, 220, 255), outline=(60, 70, 60, 255), width=8)
    for text, name, size, top in [
        ("BROADLOOM WEAVERS", "dejavu/DejaVuSans-Bold.ttf", 66, 56),
        ("Carpets and cloth since 1897", "dejavu/DejaVuSerif.ttf", 48, 176),
        ("Open 9:00 - 17:30", "dejavu/DejaVuSans.ttf", 54, 290),
        ("织布机与地毯", "wqy/wqy-zenhei.ttc", 78, 410),
    ]:
        face = font(name, size)
        draw.text(((900 - draw.textlength(text, font=face)) / 2, top), text, font=face, fill=(36, 44, 60, 255))
    return image


def photograph() -> Image.Image:
    image = wall()
    tilted = sign().rotate(4, resample=Image.BICUBIC, expand=True)
    tilted = tilted.resize((tilted.width * 6 // 10, tilted.height * 6 // 10), Image.LANCZOS)
    image.paste(tilted, ((WIDTH - tilted.width) // 2, (HEIGHT - tilted.height) // 2), tilted)
    light = Image.linear_gradient("L").resize((WIDTH, HEIGHT)).rotate(25)
    image = Image.composite(image, image.point(lambda level: level * 0.72), light.point(lambda level: 255 - level // 2))
    noise = Image.effect_noise((WIDTH, HEIGHT), 14).convert("RGB")
    return Image.blend(image, noise, 0.06).filter(ImageFilter.GaussianBlur(0.6))


photograph().save(Path(__file__).parent / "photograph.jpg", quality=82)
