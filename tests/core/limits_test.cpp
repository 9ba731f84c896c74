#include "core/limits.h"

#include <gtest/gtest.h>

#include "support/expect.h"

namespace broadloom::limits_test {
namespace {

double time_now = 0;
int looks = 0;

class LimitsTest : public testing::Test {
 protected:
  void SetUp() override {
    Watch::set_clock([] {
      ++looks;
      return time_now;
    });
    time_now = 0;
    looks = 0;
    Watch::start();
  }
  void TearDown() override {
    limits = {};
    Watch::set_clock(nullptr);
    Watch::start();
  }
};

TEST_F(LimitsTest, ALimitIsSetByItsName) {
  ASSERT_TRUE(set_limit("bytes", 10));
  EXPECT_EQ(limits.bytes, 10);
  EXPECT_TRUE(check_file_bytes(10));
  EXPECT_TRUE(test::fails(check_file_bytes(11), Code::LimitExceeded));
  EXPECT_TRUE(test::fails(set_limit("bytes", 0), Code::InvalidArgument));
  EXPECT_TRUE(test::fails(set_limit("bytes", -1), Code::InvalidArgument));
  EXPECT_TRUE(set_limit("nesting", 32)) << "the most";
  EXPECT_TRUE(test::fails(set_limit("nesting", 33), Code::InvalidArgument));
  EXPECT_TRUE(test::fails(set_limit("bites", 1), Code::InvalidArgument));
  EXPECT_EQ(limits.bytes, 10);
}

TEST_F(LimitsTest, TheClockIsReadAfterAboutAMillionSteps) {
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(Watch::check(1000));
  EXPECT_EQ(looks, 0);
  for (int i = 0; i < 10000; ++i) EXPECT_TRUE(Watch::check(1000));
  EXPECT_GT(looks, 5);
  EXPECT_LT(looks, 20);
}

TEST_F(LimitsTest, WhenTheTimeIsOverAllQuestionsFailUntilTheNextCall) {
  limits.milliseconds = 5;
  time_now = 100;
  EXPECT_TRUE(Watch::check(1e7));
  time_now = 104.5;
  EXPECT_TRUE(Watch::check(1e7));
  time_now = 105;
  EXPECT_TRUE(test::fails(Watch::check(1e7), Code::LimitExceeded, "the call took more than 5 ms (limits.milliseconds)"));
  EXPECT_TRUE(test::fails(Watch::check(), Code::LimitExceeded));
  EXPECT_TRUE(test::fails(Watch::check(0), Code::LimitExceeded));
  Watch::start();
  EXPECT_TRUE(Watch::check(1e7));
}

TEST_F(LimitsTest, TheClockIsReadAfterAsManyStepsAsItIsSetFor) {
  Watch::set_clock([] { return static_cast<double>(++looks); }, 0);
  Watch::start();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Watch::check());
  EXPECT_EQ(looks, 10);
}

TEST_F(LimitsTest, WithoutALimitOfTimeTheClockIsNotRead) {
  limits.milliseconds = Limits::none;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(Watch::check(1e12));
  EXPECT_EQ(looks, 0);
}

}  // namespace
}  // namespace broadloom::limits_test
