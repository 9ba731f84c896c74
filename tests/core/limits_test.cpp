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
  EXPECT_FALSE(Watch::is_over(1e7));
  time_now = 104.5;
  EXPECT_FALSE(Watch::is_over(1e7));
  EXPECT_TRUE(Watch::check_result());
  time_now = 105;
  EXPECT_TRUE(Watch::is_over(1e7));
  EXPECT_TRUE(Watch::is_over(0));
  EXPECT_TRUE(test::fails(Watch::check(0), Code::LimitExceeded));
  EXPECT_TRUE(test::fails(Watch::check_result(), Code::LimitExceeded));
  Watch::start();
  EXPECT_TRUE(Watch::check_result());
  EXPECT_FALSE(Watch::is_over(1e7));
}

TEST_F(LimitsTest, WithoutALimitOfTimeTheClockIsNotRead) {
  limits.milliseconds = Limits::none;
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(Watch::is_over(1e12));
  EXPECT_EQ(looks, 0);
}

}  // namespace
}  // namespace broadloom::limits_test
