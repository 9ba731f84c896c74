#include "kernels/convolution/channels_last.h"

#include <gtest/gtest.h>

#include "kernels/base/simd.h"
#include "support/cases.h"
#include "support/items.h"
#include "support/sliding.h"

namespace broadloom::test::channels_last_test {
namespace {

template <class T, class Wide>
void expect_forms(Dtype dtype, bool is_widened) {
  Random random;
  for (int round = 0; round < cases() / 2; ++round) {
    const SlidingAxes axes = random_axes(random, 1 + random.below(3));
    const std::size_t channels = random.below(12) + 1;
    const std::size_t batch = random.below(3) + 1;
    const bool has_channels_last = random.one_in(2);
    const Layout layout =
        image_layout(static_cast<std::int64_t>(batch), static_cast<std::int64_t>(channels), axes.values(), has_channels_last);
    ImageForm form{.dtype = dtype, .is_widened = is_widened};
    const bool has_plain_form = random.one_in(2);
    if (!has_plain_form) {
      form.repeats = random.below(3) + 1;
      form.before = random.below(3);
      form.after = random.below(3);
    }
    const ChannelsLast images(layout, form);
    if (std::is_same_v<T, Wide> && has_plain_form) ASSERT_EQ(images.is_copied(), channels > 1 && layout.strides[1] != 1);
    const std::size_t elements = elements_of(axes.values());
    const auto items = random_items<T>(random, batch * channels * elements, 1, 127);
    std::vector<Vector> workspace(in_memory(images.workspace_bytes()) / vector_bytes + 1);
    const int zero = is_widened ? static_cast<int>(random.between(0, 9)) : 0;
    const std::size_t number = random.below(batch);
    const std::byte* const image = images.at(number, address(items), address(workspace), zero);
    const auto last = static_cast<std::size_t>(axes.values().back().size);
    for (std::size_t i = 0; i < elements; ++i) {
      std::ptrdiff_t at = 0;
      std::size_t rest = i;
      for (std::size_t axis = axes.size(); axis-- > 0; rest /= static_cast<std::size_t>(axes[axis].size)) {
        const bool is_last = axis + 1 == axes.size();
        const std::size_t place = rest % static_cast<std::size_t>(axes[axis].size) + (is_last ? form.before : 0);
        at += static_cast<std::ptrdiff_t>(place) * images.pitch(axis);
      }
      const auto item_at = [&](std::ptrdiff_t from) {
        Wide item{};
        std::memcpy(&item, image + from, sizeof item);
        return item;
      };
      for (std::size_t channel = 0; channel < channels; ++channel) {
        const Wide wanted = static_cast<Wide>(static_cast<int>(items[place_in(layout, number, channel, i)]) - zero);
        const std::size_t first = channel * form.repeats;
        for (std::size_t repeat = 0; repeat < form.repeats; ++repeat)
          ASSERT_EQ(item_at(at + static_cast<std::ptrdiff_t>((first + repeat) * sizeof(Wide))), wanted) << i << ' ' << channel;
      }
      const std::ptrdiff_t pixel = images.pitch(axes.size() - 1);
      for (std::size_t k = 1; i % last == 0 && k <= form.before; ++k)
        ASSERT_EQ(item_at(at - static_cast<std::ptrdiff_t>(k) * pixel), Wide{}) << "before a row";
      for (std::size_t k = 1; i % last == last - 1 && k <= form.after; ++k)
        ASSERT_EQ(item_at(at + static_cast<std::ptrdiff_t>(k) * pixel), Wide{}) << "after a row";
    }
  }
}

TEST(ChannelsLast, ImagesOfBothLayoutsHaveTheFormThatIsWanted) {
  expect_forms<std::int32_t, std::int32_t>(Dtype::int32, false);
  expect_forms<std::int8_t, std::int16_t>(Dtype::int8, true);
  expect_forms<std::uint8_t, std::int16_t>(Dtype::uint8, true);
  expect_forms<std::int16_t, std::int32_t>(Dtype::int16, false);
}

}  // namespace
}  // namespace broadloom::test::channels_last_test
